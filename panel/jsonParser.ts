// In place of the parser of JSON, which would be a thirtieth of the panel: in a browser, the page says what is broken.

export function parseTree(text: string, errors: {error: string; offset: number}[]): void {
  try {
    JSON.parse(text)
  } catch (thrown) {
    const {message} = thrown instanceof SyntaxError ? thrown : new SyntaxError()
    const [, error = message, offset = text.length] =
      /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? []
    errors.push({error, offset: Number(offset)})
  }
}

export const printParseErrorCode = (error: string) => error
