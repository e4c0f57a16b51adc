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
import {UNIQUE_RULES} from '../../schemas/unique.ts'
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
    ...checkUnique(known),
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

/** The codes of findings about the attributes that no two documents share. */
const TAKEN: Readonly<Record<string, 'NAME_TAKEN' | 'PUBLIC_ID_TAKEN'>> = {
  name: 'NAME_TAKEN',
  publicId: 'PUBLIC_ID_TAKEN',
}

function checkUnique(known: readonly Known[]): Finding[] {
  return UNIQUE_RULES.flatMap(({types, attribute, within = () => '', label, ifShared}) => {
    const holders = known.filter(({key, facts}) => types.includes(key.type) && within(facts) !== undefined)
    const groups = Map.groupBy(holders, ({facts}) =>
      JSON.stringify([within(facts), textOf(facts[attribute])]),
    )
    return [...groups.values()].flatMap(([first, ...others]) => {
      const value = textOf(first?.facts[attribute])
      const code = TAKEN[attribute]
      if (value === '' || code === undefined) return []
      const message = `${first?.path} has the ${label} "${value}", too. ${ifShared}.`
      return others.map(({places}) => located(code, places.of(attribute), message, attribute))
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
  return [...checkSize(site, enabled), ...adviseOnSite(site, enabled)]
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
