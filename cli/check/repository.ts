import {TYPES} from '../../advice/diagnosis/titles.ts'
import {SiteTools, type ToolOfSite, toolOfSite} from '../../advice/site/siteTools.ts'
import {adviseAmong} from '../../advice/tool.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {pagesFieldOf, siteOf} from '../../schemas/documents.ts'
import type {Fields} from '../../schemas/record.ts'
import {pageToolsOf} from '../../schemas/rules/names/toolName.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {countSegments, MAX_PATH_SEGMENTS} from '../../schemas/rules/paths/pathSegments.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type CheckedDocument, findingOf, located} from './document.ts'
import {type Finding, problem} from './finding.ts'

type Known = CheckedDocument & {readonly facts: Fields; readonly path: string}

/** Checks how the documents of a repository go together. */
export function checkRepository(documents: readonly CheckedDocument[]): Finding[] {
  const known = documents.flatMap((document): Known[] => {
    const {facts, key} = document
    return facts === undefined ? [] : [{...document, facts, path: jsonPath(key)}]
  })
  const byId = Map.groupBy(known, ({key}) => key.id)
  const sites = known.filter(({key}) => key.type === 'site')
  const tools = known.filter(({key}) => key.type === 'tool' || key.type === 'formTool')
  return [
    ...known.flatMap(checkType),
    ...checkIds(known),
    ...checkPublicIds(sites),
    ...tools.flatMap((tool) => checkSiteOf(tool, {byId, sites})),
    ...[...Map.groupBy(tools, ({facts}) => siteOf(facts))].flatMap(([site, group]) => {
      return site === undefined
        ? []
        : checkSite(
            byId.get(site)?.find(({key}) => key.type === 'site'),
            group,
          )
    }),
  ]
}

/** Types of Sanity itself are not mistakes. */
function checkType({key: {type}, path}: Known): Finding[] {
  if (TYPES.includes(type) || /^(?:sanity|system)\./.test(type)) return []
  const message = `Handrail does not use documents of the type "${type}": the types are ${TYPES.join(', ')}.`
  return [problem('TYPE_UNKNOWN', path, message)]
}

function checkIds(known: readonly Known[]): Finding[] {
  return [...Map.groupBy(known, ({key}) => key.id).values()].flatMap(([first, ...others]) => {
    return others.map(({key, path}) => {
      const message = `${first?.path} has the _id "${key.id}", too, and the lake serves only the older one: choose another _id and rename the file.`
      return problem('ID_TAKEN', path, message)
    })
  })
}

function checkPublicIds(sites: readonly Known[]): Finding[] {
  const groups = Map.groupBy(sites, ({facts}) => textOf(facts.publicId))
  return [...groups].flatMap(([publicId, [first, ...others]]) => {
    if (publicId === '') return []
    return others.map((site) => {
      const message = `${first?.path} has the public ID "${publicId}", too, and only the older site is served: choose a different one.`
      return located('PUBLIC_ID_TAKEN', site.places.of('publicId'), message, 'publicId')
    })
  })
}

function checkSiteOf(
  tool: Known,
  {byId, sites}: {readonly byId: ReadonlyMap<string, readonly Known[]>; readonly sites: readonly Known[]},
): Finding[] {
  const id = siteOf(tool.facts)
  if (id === undefined) return []
  const finding = (message: string) => [located('REFERENCE_BROKEN', tool.places.of('site'), message, 'site')]
  const named = byId.get(id) ?? []
  if (named.some(({key}) => key.type === 'site')) return []
  const meant = sites.find(({facts}) => facts.publicId === id)
  if (meant !== undefined) {
    const message = `"${id}" is the public ID of ${meant.path}: write its _id, "${meant.key.id}".`
    return finding(message)
  }
  const what = named[0] === undefined ? `There is no site/${id}.json` : `${named[0].path} is not a site`
  return finding(`${what}: name the _id of a site, or delete this document.`)
}

/** @param site undefined if the tools refer to a site that does not exist */
function checkSite(site: Known | undefined, tools: readonly Known[]): Finding[] {
  const enabled = tools.filter(({facts}) => facts.enabled === true)
  return [...checkNames(tools), ...checkSize(site, enabled), ...adviseOnSite(site, enabled)]
}

/** The service serves tools before form tools, then by _id; of one name, only the first. */
function checkNames(tools: readonly Known[]): Finding[] {
  const ordered = tools.toSorted((a, b) => {
    const [one, other] = [isServed(a), isServed(b)]
    if (one !== other) return one ? -1 : 1
    if (a.key.type !== b.key.type) return a.key.type === 'tool' ? -1 : 1
    return a.key.id < b.key.id ? -1 : 1
  })
  return [...Map.groupBy(ordered, ({facts}) => textOf(facts.name))].flatMap(([name, [first, ...others]]) => {
    if (name === '' || first === undefined) return []
    return others.map((tool) => {
      const which = isServed(first) && isServed(tool) ? `${first.path}, which is served instead` : first.path
      const message = `Another tool of this site is named "${name}": ${which}. Choose a different name.`
      return located('NAME_TAKEN', tool.places.of('name'), message, 'name')
    })
  })
}

function isServed({facts, isValid}: Known): boolean {
  return facts.enabled === true && isValid
}

function checkSize(site: Known | undefined, enabled: readonly Known[]): Finding[] {
  const segments = enabled.reduce((sum, {key, facts}) => {
    const pattern = parsePathPattern(facts[pagesFieldOf(key.type)])
    return sum + (pattern.ok ? countSegments(pattern.value) : 0)
  }, 0)
  if (site === undefined || segments <= MAX_PATH_SEGMENTS) return []
  const limit = MAX_PATH_SEGMENTS.toLocaleString('en-US')
  const message = `The path patterns of the site expand to more than ${limit} path segments, and none of its tools is served: use fewer alternatives in braces, wildcards instead of lists, or fewer tools.`
  return [problem('SITE_TOO_LARGE', site.path, message)]
}

function adviseOnSite(site: Known | undefined, enabled: readonly Known[]): Finding[] {
  const known = enabled.map((tool) => ({tool, seen: toolOfSite(tool.facts)}))
  const tools = new SiteTools(
    known.map(({seen}): ToolOfSite => seen),
    pageToolsOf(site?.facts),
  )
  const said = new Set<string>()
  return known.flatMap(({tool, seen}) => {
    const advice = adviseAmong(seen, tool.key.type, tools).filter(({code, message}) => {
      // It is about a page, and each of its tools would repeat it.
      if (code !== 'TOOLS_MANY' && code !== 'TOOLS_TOO_MANY') return true
      const isNew = !said.has(message)
      said.add(message)
      return isNew
    })
    return advice.map((one) => findingOf(one, tool.places))
  })
}
