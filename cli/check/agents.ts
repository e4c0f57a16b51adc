import type {Consumer} from '../../advice/agents/consumers.ts'
import {
  aboutConsumer,
  countListed,
  type GroupedRemark,
  groupRemarks,
  hintsInWords,
} from '../../advice/agents/words.ts'
import {listSite} from '../../advice/diagnosis/agents.ts'
import {checkSite} from '../../advice/diagnosis/site.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {readSnapshot} from '../diff/snapshot.ts'
import {printable} from '../printable.ts'
import type {Source} from '../source/source.ts'

/** What one known agent gets of a site. */
type AgentReport = Pick<Consumer, 'id' | 'title' | 'source' | 'date'> & {
  readonly about: string
  readonly listed: string
  /** `listedAs`: the name that the model reads; null if the agent does not list the tool. */
  readonly tools: readonly {readonly name: string; readonly listedAs: string | null; readonly hints: string}[]
  readonly remarks: readonly GroupedRemark[]
}

/** Who can call the tools of a site. */
export type SiteReport = {readonly site: string; readonly agents: readonly AgentReport[]}

/** Computes for each site what the known agents get of it. Sites without tools are left out. */
export function reportAgents(source: Source): SiteReport[] {
  const documents = [...readSnapshot(source).values()]
  return documents
    .filter(({_type}) => _type === 'site')
    .map((site) => ({
      site: textOf(site.name) || site._id,
      agents: listSite(checkSite(site._id, documents), documents).map((listing) => {
        const {id, title, source, date} = listing.consumer
        return {
          ...{id, title, about: aboutConsumer(listing.consumer), source, date},
          listed: countListed(listing),
          tools: listing.listings.map((one) => ({
            name: one.tool.name,
            listedAs: one.name ?? null,
            hints: hintsInWords(one),
          })),
          remarks: groupRemarks(listing),
        }
      }),
    }))
    .filter(({agents}) => agents.length > 0)
}

/** The report for a person. */
export function agentsText(sites: readonly SiteReport[]): string {
  return sites
    .map(
      ({site, agents}) =>
        `\nWho can call the tools of ${printable(site)}\n\n${agents.map(agentText).join('')}`,
    )
    .join('')
}

function agentText({title, about, listed, tools, remarks, source, date}: AgentReport): string {
  const renamed = tools
    .filter(({name, listedAs}) => listedAs !== null && listedAs !== name)
    .map(({name, listedAs}) => `${name} as ${listedAs}`)
  const lines = [
    about,
    ...(renamed.length === 0 ? [] : [`Lists ${renamed.join(', ')}.`]),
    ...remarks.map(({severity, tools, message, help = ''}) => {
      return `${severity.padEnd(7)}  ${tools.join(', ')}: ${message} ${help}`.trimEnd()
    }),
    `As of ${date}: ${source}.`,
  ]
  return `${title}: ${listed}\n${lines.map((line) => `  ${printable(line)}\n`).join('')}\n`
}
