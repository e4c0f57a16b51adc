/** The way to a member of JSON: names, positions in lists, and `null` for every entry of a list. */
export type Path = readonly (string | number | null)[]

/** The members that are returned, by names of their own. */
export type Members = Readonly<Record<string, Path>>

/** Returns the value at a path, or undefined. `isOneList`: lists in a list are one, and the outer one has to be there. */
export type ValueAt = (value: unknown, path: Path, isOneList?: boolean) => unknown

/** JSON in which a number that JavaScript would round, such as a long identifier, is a text. A reviver is slow: strangers send long JSON. */
export function exact(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|[-+.\deE]{16,}/g, (token) =>
    /^-?\d+$/.test(token) && `${Number(token)}` !== token ? `"${token}"` : token,
  )
}

/** The value at a path that leads through no list. */
export const valueAt: ValueAt = (value, path) =>
  path.reduce<unknown>((inner, step) => Object(inner)[step ?? ''], value)

/** The value at any path. */
export const valueInLists: ValueAt = (value, path, isOneList = false) => {
  const each = path.indexOf(null)
  if (each < 0) return valueAt(value, path)
  const outer = valueAt(value, path.slice(0, each))
  const next = (inner: unknown) => valueInLists(inner, path.slice(each + 1), isOneList)
  if (!isOneList) return [outer ?? []].flat().map(next)
  return Array.isArray(outer) ? outer.flatMap((one) => next(one) ?? []) : undefined
}

/** The chosen members of a value; undefined: all of it. */
export function pick(value: unknown, members: Members | undefined, at: ValueAt): unknown {
  return members
    ? Object.fromEntries(Object.entries(members).map(([name, path]) => [name, at(value, path)]))
    : value
}

/** Cuts a list, and says in its place how much is missing: an agent would take the rest for all. */
export function cut(list: unknown[], limit: number): unknown[] {
  const more = list.length - limit
  return more > 0 ? [...list.slice(0, limit), `${more} more not shown`] : list
}
