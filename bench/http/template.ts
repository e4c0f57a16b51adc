/**
 * Parses a path template: `{n}` stands for the number, `{n%7}` for its remainder modulo 7.
 * @returns a function that returns the path for a number.
 */
export function templateOf(path: string): (number: number) => string {
  const [first = '', ...rest] = path.split('{')
  const parts = rest.map((part) => {
    const [whole, modulus, text = ''] = /^n(?:%(\d+))?\}(.*)$/.exec(part) ?? []
    if (whole === undefined) throw new Error(`"${path}" contains braces other than {n} and {n%…}`)
    return {modulus: modulus === undefined ? Number.POSITIVE_INFINITY : Number(modulus), text}
  })
  return (number) => parts.reduce((sum, {modulus, text}) => `${sum}${number % modulus}${text}`, first)
}
