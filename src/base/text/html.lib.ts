/** The parser of HTML and what makes readable text of HTML with it, in one bundle, so that the parser is shipped once. */
export { convert } from 'html-to-text'
export { Tokenizer } from 'htmlparser2'
