/**
 * Orders ids so that each comes after those that it references. Ids that reference each other in a circle are in
 * one component, because they have to be written together. References to other ids are ignored.
 * Tarjan's algorithm, https://doi.org/10.1137/0201010, without recursion.
 */
export function componentsOf(references: ReadonlyMap<string, Iterable<string>>): string[][] {
  const components: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const lower = (id: string, value: number) => {
    lowest.set(id, Math.min(lowest.get(id) ?? value, value))
  }
  for (const start of references.keys()) {
    if (order.has(start)) continue
    const path: {readonly id: string; readonly targets: Iterator<string>}[] = []
    const enter = (id: string) => {
      lower(id, order.size)
      order.set(id, order.size)
      stack.push(id)
      onStack.add(id)
      path.push({id, targets: (references.get(id) ?? [])[Symbol.iterator]()})
    }
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const {value: target, done} = top.targets.next()
      if (!done) {
        if (!references.has(target)) continue
        const seen = order.get(target)
        if (seen === undefined) enter(target)
        else if (onStack.has(target)) lower(top.id, seen)
        continue
      }
      path.pop()
      const low = lowest.get(top.id) ?? 0
      const parent = path.at(-1)
      if (parent !== undefined) lower(parent.id, low)
      if (low !== order.get(top.id)) continue
      const component = stack.splice(stack.lastIndexOf(top.id))
      for (const id of component) onStack.delete(id)
      components.push(component)
    }
  }
  return components
}
