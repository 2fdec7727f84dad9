declare module 'xliff' {
  export function xliff2js(text: string): Promise<unknown>
  export function js2xliff(content: unknown): Promise<string>
}
