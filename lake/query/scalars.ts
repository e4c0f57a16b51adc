/** https://www.rfc-editor.org/rfc/rfc3339 */
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|([-+]\d{2}:\d{2}))$/

/** GROQ's datetime. It is sent as text. */
export class DateTime {
  readonly milliseconds: number

  private constructor(milliseconds: number) {
    this.milliseconds = milliseconds
  }

  /** The datetime of a number of milliseconds since 1970; null outside of what `Date` can represent. */
  static of(milliseconds: number): DateTime | null {
    const time = new Date(milliseconds).getTime()
    return Number.isNaN(time) ? null : new DateTime(time)
  }

  /** Reads an RFC 3339 time; null for any other text. */
  static parse(text: string): DateTime | null {
    return RFC3339.test(text) ? DateTime.of(Date.parse(text)) : null
  }

  plus(seconds: number): DateTime | null {
    return DateTime.of(this.milliseconds + seconds * 1_000)
  }

  toString(): string {
    return new Date(this.milliseconds).toISOString().replace('.000Z', 'Z')
  }

  toJSON(): string {
    return this.toString()
  }
}

/** The text of a scalar, undefined for any other value. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    default:
      return value instanceof DateTime ? value.toString() : undefined
  }
}
