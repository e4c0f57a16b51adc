/** A parsed JSON object. */
export type JsonObject = {readonly [key: string]: unknown}

/** Narrows to a plain JSON object, which excludes arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON. Undefined: the text is something else. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
