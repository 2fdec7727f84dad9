/** The HTML parser and the conversion of HTML to text in one bundle, so that the parser is shipped once. */
export { convert } from 'html-to-text'
export { Tokenizer } from 'htmlparser2'
