//! The texts: those that are known from the field, and what ends a context before what would act in the next.

/// Known from lists that scanners use, each for a context of its own.
const KNOWN: [&str; 58] = [
    "<script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script/src=//evil.example></script>",
    "<script\t>alert(1)</script\t>",
    "<<script>alert(1);//<</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=\"x\" onerror=\"alert(1)\">",
    "<img src='x' onerror='alert(1)'>",
    "<img src=`x` onerror=alert`1`>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<math href=javascript:alert(1)>x</math>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=\"jav&#x09;ascript:alert(1)\">x</a>",
    "<a href=data:text/html,<script>alert(1)</script>>x</a>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<style>*{background:url(//evil.example)}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content=\"0;url=//evil.example\">",
    "<base href=//evil.example/>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<isindex type=image src=1 onerror=alert(1)>",
    "<!--<img src=\"--><img src=x onerror=alert(1)//\">",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version=\"1.0\"?><x/>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&amp;lt;b&amp;gt;",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=alert(1) x=\"",
    "` onmouseover=alert(1) `",
    "javascript:alert(1)",
    "javascript://%0aalert(1)",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "＜script＞alert(1)＜/script＞",
];

/// What ends the context that a text stands in.
const ENDS: [&str; 9] = ["\">", "'>", "\" ", "</title>", "</textarea>", "</script>", "</style>", "-->", "</svg>"];
/// What would act behind it.
const ACTS: [&str; 16] = [
    "<script>alert(2)</script>",
    "<img src=x onerror=alert(2)>",
    "<svg/onload=alert(2)>",
    "<iframe src=//evil.example>",
    "<a href=javascript:alert(2)>x",
    "<base href=//evil.example>",
    "<form action=//evil.example>",
    "<style>*{color:red}</style>",
    "<link rel=import href=//evil.example>",
    "<meta charset=utf-7>",
    "<p style=color:red>",
    "<input onfocus=alert(2) autofocus>",
    "<details open ontoggle=alert(2)>",
    "onclick=alert(2) x=",
    "style=color:red x=",
    "<!--",
];

/// All of them.
pub(super) fn all() -> Vec<String> {
    let ended = ENDS.iter().flat_map(|end| ACTS.iter().map(move |act| format!("{end}{act}")));
    // A tab is none that a name may have.
    KNOWN.iter().map(|text| text.replace('\t', " ")).chain(ended).collect()
}

/// The same in as few texts as names have place for.
pub(super) fn packed(strings: &[String]) -> Vec<String> {
    let mut packs: Vec<String> = Vec::new();
    for text in strings {
        match packs.last_mut() {
            Some(pack) if pack.chars().count() + 1 + text.chars().count() <= 230 => {
                pack.push(' ');
                pack.push_str(text);
            }
            _ => packs.push(text.clone()),
        }
    }
    packs
}
