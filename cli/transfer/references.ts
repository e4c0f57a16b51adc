/** What documents reference strongly, by their ids. */
type References = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds documents that reference what does not exist, as the API refuses them, and those that reference such documents.
 * @param existsThere whether the target of a transfer has a document already
 * @returns one missing document for each of them
 */
export function brokenReferences(
  references: References,
  existsThere: (id: string) => boolean,
): Map<string, string> {
  const broken = new Map<string, string>()
  const isMissing = (id: string) => !existsThere(id) && (broken.has(id) || !references.has(id))
  for (let found = -1; found < broken.size; ) {
    found = broken.size
    for (const [id, targets] of references) {
      const missing = broken.has(id) ? undefined : [...targets].find(isMissing)
      if (missing !== undefined) broken.set(id, missing)
    }
  }
  return broken
}

/**
 * Orders ids so that each comes after those that it references. What is left when only circles are, is one group, because it
 * has to be written together. References to other ids are ignored.
 */
export function inOrder(references: References): string[][] {
  const groups: string[][] = []
  const waiting = new Map(references)
  while (waiting.size > 0) {
    const isReady = (targets: ReadonlySet<string>) => ![...targets].some((id) => waiting.has(id))
    const ready = [...waiting].flatMap(([id, targets]) => (isReady(targets) ? [id] : []))
    if (ready.length === 0) return [...groups, [...waiting.keys()]]
    for (const id of ready) {
      groups.push([id])
      waiting.delete(id)
    }
  }
  return groups
}
