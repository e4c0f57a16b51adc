import type {Advice} from '../../../schemas/advice/advice.ts'
import {SiteTools} from '../../../schemas/advice/site/siteTools.ts'
import {adviseAmong, adviseFormToolAlone, adviseToolAlone, toolOfSite} from '../../../schemas/advice/tool.ts'
import type {StoredDocument} from '../../../schemas/diagnosis/documents.ts'
import {type Neighbour, neighboursIn} from '../../../schemas/diagnosis/neighbours.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {nameOf} from '../../documentRevision.ts'

/** Longer scripts get no advice here, in characters: analysing them takes the square of their length. */
const MAX_SCRIPT = 20_000

/** Advice as the panel shows it. */
export type DraftAdvice = Pick<Advice, 'code' | 'severity' | 'field' | 'message'> & {
  /** The line of the script, from 1. */
  readonly line?: number
}

/** Advice on the tools of a site with its drafts applied, remembered by revision. */
export class DraftAdvisor {
  readonly #neighbours: ReadonlyMap<string, Neighbour>
  readonly #site: SiteTools
  /** Advice that does not depend on other tools. */
  readonly #alone: Map<string, readonly Advice[]>
  readonly #known = new Map<string, readonly DraftAdvice[]>()

  /** @param before the advisor of the same site before a change. */
  constructor(tools: readonly StoredDocument[], before?: DraftAdvisor) {
    const neighbours = neighboursIn(tools)
    this.#neighbours = new Map(neighbours.map((neighbour) => [neighbour.id, neighbour]))
    this.#site = new SiteTools(neighbours)
    const known = before === undefined ? undefined : before.#alone
    this.#alone = new Map(
      tools.map(revisionOf).flatMap((name) => {
        const advice = known?.get(name)
        return advice === undefined ? [] : [[name, advice]]
      }),
    )
  }

  /** The advice on a tool. */
  adviceOn(tool: StoredDocument): readonly DraftAdvice[] {
    const name = revisionOf(tool)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const field = tool._type === 'formTool' ? 'pagePath' : 'pathPattern'
    const own = this.#neighbours.get(tool._id) ?? toolOfSite(tool, field)
    const advice = [...adviseAmong(own, field, this.#site), ...this.#adviceAlone(tool)].map((one) =>
      shown(one, textOf(tool.executeJs)),
    )
    this.#known.set(name, advice)
    return advice
  }

  #adviceAlone(tool: StoredDocument): readonly Advice[] {
    const name = revisionOf(tool)
    const known = this.#alone.get(name)
    if (known !== undefined) return known
    const isLong = textOf(tool.executeJs).length > MAX_SCRIPT
    const advice = isLong ? [] : tool._type === 'formTool' ? adviseFormToolAlone(tool) : adviseToolAlone(tool)
    this.#alone.set(name, advice)
    return advice
  }
}

function revisionOf({_id, _rev}: StoredDocument): string {
  return nameOf({documentId: _id, revision: _rev})
}

function shown({code, severity, field, message, offset}: Advice, script: string): DraftAdvice {
  const isInScript = field === 'executeJs' && offset !== undefined
  return {code, severity, field, message, ...(isInScript && {line: lineAt(script, offset)})}
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|[\n\r]/).length
}
