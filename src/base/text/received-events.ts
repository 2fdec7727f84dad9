/** The values of a stream of server-sent events, which are JSON. */
export async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, data] = /^data: ?(.*)$/m.exec(part) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
