/** A text with parameters: `Nothing was found for “{query}”.` */
export type Template = readonly (string | {readonly parameter: string})[]

/** The parameters of a text, in their order. */
export function parametersIn(template: Template): string[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : [part.parameter]))
}

/** A text as editors write it, with `{name}` for a parameter. */
export function templateText(template: Template): string {
  return template.map((part) => (typeof part === 'string' ? part : `{${part.parameter}}`)).join('')
}

/** What is wrong with the name of a parameter that an action uses. */
export function parameterProblem(name: string): string | undefined {
  if (name.trim() === '')
    return 'There is “{}” without a name: write the name of a parameter between the braces.'
  const [, member] = /^args\??\.(.+)$/.exec(name) ?? []
  if (member !== undefined) return `Write “{${member}}” instead of “{${name}}”.`
  // Every object has members with these names, so the parameter would never be missing.
  if (name in {}) return `A parameter of an action cannot be called “${name}”: rename it.`
  return undefined
}

/** A fixed value where all values are texts. */
export function fixedText({fixed}: {readonly fixed: unknown}): string {
  return typeof fixed === 'string' ? fixed : JSON.stringify(fixed)
}
