//! What the client reads of answers that come whole, in chunks, in part or not at all.

use super::*;

#[test]
fn a_base_address_has_a_host_and_a_path() {
    assert_eq!(host_of("http://127.0.0.1:8080/api"), "127.0.0.1:8080");
    assert_eq!(path_of("http://127.0.0.1:8080/api"), "/api");
    assert_eq!(path_of("http://127.0.0.1:8080"), "");
}

#[test]
fn an_answer_that_ends_early_is_cut_and_one_that_never_began_is_not() {
    for (answer, is_cut) in [("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", true), ("", false)] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let mut client = Client::connect(&host).unwrap();
        assert!(client.exchange(b"GET / HTTP/1.1\r\n\r\n", |_| {}).is_err());
        assert_eq!(client.is_cut(), is_cut, "{answer}");
        server.join().unwrap();
    }
}

#[test]
fn an_answer_in_chunks_is_read_whole_and_the_next_one_after_it() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut buffer = [0; 1024];
        let chunks =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"a\"\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        for answer in [chunks, "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno"] {
            let _ = stream.read(&mut buffer).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let mut client = Client::connect(&host).unwrap();
    let mut body = Vec::new();
    assert_eq!(client.exchange(b"GET / HTTP/1.1\r\n\r\n", |bytes| body.extend_from_slice(bytes)).unwrap(), 200);
    assert_eq!(body, b"abcde");
    assert_eq!(client.header("etag"), Some("\"a\""));
    assert!(client.body_of(b"GET /x HTTP/1.1\r\n\r\n").unwrap_err().to_string().contains("404: no"));
    server.join().unwrap();
}
