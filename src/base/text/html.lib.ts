/** The HTML parser and the conversion of HTML to text in one bundle, so that the parser is shipped once. */
export { convert } from 'html-to-text'
export { Parser, Tokenizer } from 'htmlparser2'
