//! Reading canonical text: one pass, member by member in their order, and no other spelling than the writer's.

use std::borrow::Cow;
use std::fmt;

use super::error::CanonicalError;
use super::scan::Scan;

/// Reads what [`CanonicalWriter`](super::CanonicalWriter) wrote, with the same calls in the same order.
///
/// Nothing else is read: no white space, no other order of members, no unknown or doubled one, no `null` or empty list
/// where a member is left out, no other way to write a character, a number or a moment. So a text that is read is the
/// one text of its value, and writing the value gives it back.
#[derive(Debug)]
pub struct CanonicalReader<'a> {
    scan: Scan<'a>,
    is_first: bool,
}

impl<'a> CanonicalReader<'a> {
    /// Reads a text that is one object, whose members `read` reads.
    pub fn read<T>(
        text: &'a str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<T, CanonicalError> {
        let mut reader = Self { scan: Scan::new(text), is_first: true };
        let value = reader.braces(read)?;
        if reader.scan.is_at_end() { Ok(value) } else { Err(reader.scan.wrong("goes on behind its end")) }
    }

    /// Reads the first members of a text that is one object, whatever follows them: to learn how to read the whole.
    pub fn read_start<T>(
        text: &'a str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<T, CanonicalError> {
        let mut reader = Self { scan: Scan::new(text), is_first: true };
        reader.scan.expect('{', "is not an object")?;
        read(&mut reader)
    }

    /// A member that is a text, as `parse` reads it.
    pub fn text<T: fmt::Display, E: fmt::Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, CanonicalError> {
        self.required(name, |reader| reader.spelled(parse))
    }

    /// A member that is a text, where there is one.
    pub fn optional<T: fmt::Display, E: fmt::Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, CanonicalError> {
        self.where_given(name, |reader| reader.spelled(parse))
    }

    /// A member that is any text.
    pub fn string(&mut self, name: &str) -> Result<String, CanonicalError> {
        self.required(name, |reader| reader.scan.string().map(Cow::into_owned))
    }

    /// A member that is any text, where there is one.
    pub fn optional_string(&mut self, name: &str) -> Result<Option<String>, CanonicalError> {
        self.where_given(name, |reader| reader.scan.string().map(Cow::into_owned))
    }

    /// A member that is a word of a closed list, each of which `find` finds by one word only.
    pub fn word<T>(&mut self, name: &str, find: impl FnOnce(&str) -> Option<T>) -> Result<T, CanonicalError> {
        self.required(name, |reader| reader.known(find))
    }

    /// A member that is a word of a closed list, where there is one.
    pub fn optional_word<T>(
        &mut self,
        name: &str,
        find: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, CanonicalError> {
        self.where_given(name, |reader| reader.known(find))
    }

    /// A member that is a whole number.
    pub fn integer<T: TryFrom<i128>>(&mut self, name: &str) -> Result<T, CanonicalError> {
        self.required(name, |reader| reader.scan.integer())
    }

    /// A member that is a whole number, where there is one.
    pub fn optional_integer<T: TryFrom<i128>>(&mut self, name: &str) -> Result<Option<T>, CanonicalError> {
        self.where_given(name, |reader| reader.scan.integer())
    }

    /// A member that is true or false.
    pub fn flag(&mut self, name: &str) -> Result<bool, CanonicalError> {
        self.required(name, |reader| reader.scan.flag())
    }

    /// A member that is true or false, where there is one.
    pub fn optional_flag(&mut self, name: &str) -> Result<Option<bool>, CanonicalError> {
        self.where_given(name, |reader| reader.scan.flag())
    }

    /// A member that is an object, whose members `read` reads.
    pub fn object<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<T, CanonicalError> {
        self.required(name, |reader| reader.braces(read))
    }

    /// A member that is an object, where there is one.
    pub fn optional_object<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<Option<T>, CanonicalError> {
        self.where_given(name, |reader| reader.braces(read))
    }

    /// A member that is a list of texts, each as `parse` reads it; empty where there is none.
    pub fn texts<T: fmt::Display, E: fmt::Display>(
        &mut self,
        name: &str,
        mut parse: impl FnMut(&str) -> Result<T, E>,
    ) -> Result<Vec<T>, CanonicalError> {
        self.list(name, |item| item.text(&mut parse))
    }

    /// A member that is a list of objects, the members of each read by `read`; empty where there is none.
    pub fn objects<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<Vec<T>, CanonicalError> {
        self.list(name, |item| item.object(&mut read))
    }

    /// A member that is a list, each of whose items `read` reads; empty where there is none.
    pub fn list<T>(
        &mut self,
        name: &str,
        read: impl FnMut(CanonicalItemReader<'_, 'a>) -> Result<T, CanonicalError>,
    ) -> Result<Vec<T>, CanonicalError> {
        self.where_given(name, |reader| reader.brackets(read)).map(Option::unwrap_or_default)
    }

    /// Refuses what the members read so far say together; `detail` completes a sentence whose subject is the object.
    #[must_use]
    pub fn wrong(&self, detail: impl fmt::Display) -> CanonicalError {
        self.scan.wrong(detail)
    }

    fn required<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<T, CanonicalError> {
        match self.where_given(name, read)? {
            Some(value) => Ok(value),
            None => Err(self.scan.wrong("is missing or stands elsewhere").within(name)),
        }
    }

    /// Reads the member of that name if it comes next.
    fn where_given<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>,
    ) -> Result<Option<T>, CanonicalError> {
        if !self.scan.take_name(name, self.is_first) {
            return Ok(None);
        }
        self.is_first = false;
        read(self).map(Some).map_err(|error| error.within(name))
    }

    fn braces<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, CanonicalError>) -> Result<T, CanonicalError> {
        self.scan.expect('{', "is not an object")?;
        self.is_first = true;
        let value = read(self)?;
        if !self.scan.take('}') {
            let error = self.scan.wrong("is not known, stands twice, or does not stand in its place");
            return Err(match self.scan.next_name() {
                Some(name) => error.within(name),
                None => self.scan.wrong("does not end where its members do"),
            });
        }
        self.is_first = false;
        Ok(value)
    }

    fn brackets<T>(
        &mut self,
        mut read: impl FnMut(CanonicalItemReader<'_, 'a>) -> Result<T, CanonicalError>,
    ) -> Result<Vec<T>, CanonicalError> {
        self.scan.expect('[', "is not a list")?;
        let mut items = Vec::new();
        loop {
            let item = read(CanonicalItemReader { from: self }).map_err(|error| error.within(items.len()))?;
            items.push(item);
            if self.scan.take(']') {
                return Ok(items);
            }
            self.scan.expect(',', "does not go on with a comma or end")?;
        }
    }

    /// A text that `parse` reads and that is the one way to write what it gives.
    fn spelled<T: fmt::Display, E: fmt::Display>(
        &mut self,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, CanonicalError> {
        let at = self.scan.at();
        let text = self.scan.string()?;
        let value = parse(&text).map_err(|error| CanonicalError::new(at, format_args!("is refused: {error}")))?;
        if is_written_so(&value, &text) {
            Ok(value)
        } else {
            Err(CanonicalError::new(at, format_args!("is not written in the canonical form, which is \"{value}\"")))
        }
    }

    fn known<T>(&mut self, find: impl FnOnce(&str) -> Option<T>) -> Result<T, CanonicalError> {
        let at = self.scan.at();
        let word = self.scan.string()?;
        find(&word).ok_or_else(|| CanonicalError::new(at, format_args!("is \"{word}\", which is not known")))
    }
}

/// The place of one item of a list.
#[derive(Debug)]
pub struct CanonicalItemReader<'r, 'a> {
    from: &'r mut CanonicalReader<'a>,
}

impl<'a> CanonicalItemReader<'_, 'a> {
    /// Whether the item is a text.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.from.scan.is_next('"')
    }

    /// An item that is a text, as `parse` reads it.
    pub fn text<T: fmt::Display, E: fmt::Display>(
        self,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, CanonicalError> {
        self.from.spelled(parse)
    }

    /// An item that is any text.
    pub fn string(self) -> Result<String, CanonicalError> {
        self.from.scan.string().map(Cow::into_owned)
    }

    /// An item that is a whole number.
    pub fn integer<T: TryFrom<i128>>(self) -> Result<T, CanonicalError> {
        self.from.scan.integer()
    }

    /// An item that is an object, whose members `read` reads.
    pub fn object<T>(
        self,
        read: impl FnOnce(&mut CanonicalReader<'a>) -> Result<T, CanonicalError>,
    ) -> Result<T, CanonicalError> {
        self.from.braces(read)
    }
}

/// Whether writing the value gives that text.
fn is_written_so(value: &impl fmt::Display, text: &str) -> bool {
    use fmt::Write as _;
    let mut rest = Rest(text);
    write!(rest, "{value}").is_ok() && rest.0.is_empty()
}

/// What is left of a text after what was written to it, as long as both are the same.
struct Rest<'a>(&'a str);

impl fmt::Write for Rest<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(written).ok_or(fmt::Error)?;
        Ok(())
    }
}
