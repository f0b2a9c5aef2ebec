//! The `$filter` of version 2: comparisons joined by `and`, and `any` on the lists of identifiers. All of the subset that
//! PACT names is read; what `OData` has beyond it is told apart from what is no `OData`.

use domain::Moment;
use domain::footprint::{Compared, Comparison, Condition, FootprintFilter, Operator};

/// The most parentheses around each other.
const DEPTH: usize = 16;

/// Why a `$filter` is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// It is not of the form.
    #[error("$filter cannot be read: {0}")]
    Malformed(String),
    /// It asks for something beyond PACT's subset of `OData`.
    #[error(
        "$filter asks for {0}, which is not answered here. It may compare created, updated, productCategoryCpc, \
         pcf/geographyCountry, pcf/referencePeriodStart and pcf/referencePeriodEnd by eq, lt, le, gt and ge, ask \
         productIds/any(id:(id eq '...')) and companyIds/any(id:(id eq '...')), and join these by and"
    )]
    NotImplemented(String),
}

/// Reads a `$filter`.
pub fn read_filter(text: &str) -> Result<FootprintFilter, FilterError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, conditions: Vec::new() };
    parser.conjunction(DEPTH)?;
    match parser.next() {
        None => Ok(FootprintFilter { conditions: parser.conditions }),
        Some(Token::Word(word)) if word == "or" => Err(unknown("or")),
        Some(other) => Err(malformed(format!("there is {} behind its end", other.words()))),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Letters, digits and slashes.
    Word(String),
    /// What stands in quotation marks; two of them are one in it.
    Text(String),
    Open,
    Close,
    Colon,
    Comma,
}

impl Token {
    fn words(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::Text(text) => format!("'{text}'"),
            Self::Open => "(".to_owned(),
            Self::Close => ")".to_owned(),
            Self::Colon => ":".to_owned(),
            Self::Comma => ",".to_owned(),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        tokens.push(match c {
            ' ' | '\t' => continue,
            '(' => Token::Open,
            ')' => Token::Close,
            ':' => Token::Colon,
            ',' => Token::Comma,
            '\'' => {
                let mut value = String::new();
                loop {
                    match rest.next() {
                        Some('\'') if rest.next_if_eq(&'\'').is_some() => value.push('\''),
                        Some('\'') => break,
                        Some(c) => value.push(c),
                        None => return Err(malformed("a quotation mark ' is not closed")),
                    }
                }
                Token::Text(value)
            }
            c if is_of_word(c) => {
                let mut word = String::from(c);
                while let Some(c) = rest.next_if(|c| is_of_word(*c)) {
                    word.push(c);
                }
                Token::Word(word)
            }
            c => return Err(malformed(format!("{c:?} has no place outside of quotation marks"))),
        });
    }
    Ok(tokens)
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '.' | '-' | '$' | '@')
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    conditions: Vec<Condition>,
}

impl Parser {
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn conjunction(&mut self, depth: usize) -> Result<(), FilterError> {
        self.term(depth)?;
        while let Some(Token::Word(word)) = self.peek() {
            match word.as_str() {
                "and" => {
                    self.at += 1;
                    self.term(depth)?;
                }
                other => return Err(unknown(other)),
            }
        }
        Ok(())
    }

    fn term(&mut self, depth: usize) -> Result<(), FilterError> {
        match self.next() {
            Some(Token::Open) => {
                let depth = depth.checked_sub(1).ok_or_else(|| malformed("its parentheses are nested too deeply"))?;
                self.conjunction(depth)?;
                self.expect(&Token::Close)
            }
            Some(Token::Word(word)) if self.peek() == Some(&Token::Open) => self.call(&word),
            Some(Token::Word(word)) => self.comparison(&word),
            Some(other @ (Token::Text(_) | Token::Close | Token::Colon | Token::Comma)) => {
                Err(malformed(format!("a field was to come, not {}", other.words())))
            }
            None => Err(malformed("a field was to come, but it ends")),
        }
    }

    /// `productIds/any(id:(id eq '...'))`, with or without the inner parentheses.
    fn call(&mut self, word: &str) -> Result<(), FilterError> {
        let made = match word {
            "productIds/any" => Condition::ProductId,
            "companyIds/any" => Condition::CompanyId,
            other => return Err(unknown(&format!("{other}(...)"))),
        };
        self.expect(&Token::Open)?;
        let variable = self.word("a name")?;
        self.expect(&Token::Colon)?;
        let inner = self.peek() == Some(&Token::Open);
        if inner {
            self.at += 1;
        }
        let named = self.word(&variable)?;
        if named != variable {
            return Err(unknown(&format!("{named} within {word}")));
        }
        let operator = self.word("eq")?;
        if operator != "eq" {
            return Err(unknown(&format!("{operator} within {word}")));
        }
        let value = self.text()?;
        if let Some(Token::Word(more)) = self.peek() {
            return Err(unknown(&format!("{more} within {word}")));
        }
        if inner {
            self.expect(&Token::Close)?;
        }
        self.expect(&Token::Close)?;
        self.conditions.push(made(vec![value]));
        Ok(())
    }

    fn comparison(&mut self, field: &str) -> Result<(), FilterError> {
        let is_moment = matches!(field, "created" | "updated" | "pcf/referencePeriodStart" | "pcf/referencePeriodEnd");
        if !is_moment && !matches!(field, "productCategoryCpc" | "pcf/geographyCountry") {
            return Err(unknown(field));
        }
        let operator = match self.word("an operator")?.as_str() {
            "eq" => Operator::Eq,
            "lt" => Operator::Lt,
            "le" => Operator::Le,
            "gt" => Operator::Gt,
            "ge" => Operator::Ge,
            other => return Err(unknown(other)),
        };
        let value = self.text()?;
        let moment = || Moment::parse(&value).map_err(|error| malformed(format!("'{value}' is {error}")));
        let with = match field {
            "created" => Compared::Created(moment()?),
            "updated" => Compared::Updated(moment()?),
            "pcf/referencePeriodStart" => Compared::ReferenceStart(moment()?),
            "pcf/referencePeriodEnd" => Compared::ReferenceEnd(moment()?),
            "productCategoryCpc" => Compared::Category(value),
            _ => Compared::Country(value),
        };
        self.conditions.push(Condition::Compares(Comparison { operator, with }));
        Ok(())
    }

    fn word(&mut self, expected: &str) -> Result<String, FilterError> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(instead(expected, other.as_ref())),
        }
    }

    fn text(&mut self) -> Result<String, FilterError> {
        match self.next() {
            Some(Token::Text(text)) => Ok(text),
            other => Err(instead("a value in quotation marks '", other.as_ref())),
        }
    }

    fn expect(&mut self, expected: &Token) -> Result<(), FilterError> {
        match self.next() {
            Some(token) if token == *expected => Ok(()),
            other => Err(instead(&expected.words(), other.as_ref())),
        }
    }
}

fn instead(expected: &str, came: Option<&Token>) -> FilterError {
    let came = came.map_or_else(|| "its end".to_owned(), Token::words);
    malformed(format!("{expected} was to come, not {came}"))
}

fn malformed(detail: impl Into<String>) -> FilterError {
    FilterError::Malformed(detail.into())
}

fn unknown(what: &str) -> FilterError {
    FilterError::NotImplemented(what.to_owned())
}
