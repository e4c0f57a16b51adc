import {isDeepStrictEqual} from 'node:util'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {hold} from '../violation.ts'
import type {Outages} from './outages.ts'

type Excuses = Pick<Outages, 'deadline' | 'oldest'>

export const SITES = 20

/** The documents of each site by name, and the paths they apply to. */
const members: Record<string, string> = {
  everywhere: '/**',
  shopping: '/shop/**',
  writing: '/contact',
  form: '/contact',
}

/** Requested paths, and the documents on them. */
const namesAt: Record<string, string[]> = {
  '/': ['everywhere'],
  '/shop/shoes': ['everywhere', 'shopping'],
  '/shop/hats/42': ['everywhere', 'shopping'],
  '/contact': ['everywhere', 'form', 'writing'],
}
export const paths = Object.keys(namesAt)

/** One edition of a document: when it was sent and acknowledged, in milliseconds since 1970. */
type Edition = {sent: number; acknowledged: number | undefined}

/**
 * Texts of a document. They repeat, because new texts would fill a cache as designed (128 MB of finished
 * bodies), and half an hour is too short to reach its limit.
 */
const TEXTS = 3

/** The content of a config: the number of the text, by document name. */
export type Texts = ReadonlyMap<string, number>

export const publicIdOf = (site: number) => `public-${site}`
const idOf = (site: number, name: string) => `${name}-${site}`

/** The part of a document that changes with each edition: one of a few texts. */
export function fieldsOf(name: string, number: number): Record<string, string> {
  const text = `text ${number % TEXTS}`
  const description = `Does what ${name} does, ${text}.`
  if (name === 'form') return {description}
  return {description, executeJs: `${'// Says which one it is.\n'.repeat(24)}return "${text}"`}
}

/** All publishes, and what may be served of them. */
export class Ledger {
  readonly #outages: Excuses
  readonly #editions = new Map<string, Edition[]>()
  /** Configs without the changing texts, by site and path. */
  readonly #shapes = new Map<string, string>()

  constructor(outages: Excuses) {
    this.#outages = outages
    const now = Date.now()
    for (const {_id} of documents()) this.#editions.set(_id, [{sent: now, acknowledged: now}])
  }

  /** Records a publish before it is sent. Call the returned function when it is acknowledged. */
  publish(site: number, name: string): {id: string; number: number; acknowledge(): void} {
    const id = idOf(site, name)
    const edition: Edition = {sent: Date.now(), acknowledged: undefined}
    const editions = this.#of(id)
    editions.push(edition)
    return {
      id,
      number: editions.length - 1,
      acknowledge() {
        edition.acknowledged = Date.now()
      },
    }
  }

  /** The newest edition with this text that the lake may have. Negative if there is none. */
  editionOf(site: number, name: string, text: number): number {
    const newest = this.#of(idOf(site, name)).length - 1
    return newest - ((newest - text + TEXTS) % TEXTS)
  }

  /** Whether this text is the newest one that the lake may have. */
  isNewest(site: number, name: string, text: number): boolean {
    return this.editionOf(site, name, text) === this.#of(idOf(site, name)).length - 1
  }

  /**
   * Reads a config.
   * @throws Violation if it does not belong to this site and path.
   */
  read(site: number, path: string, text: string): Texts {
    const body = recordOf(JSON.parse(text))
    const served = [body.tools, body.formTools].flat().map(recordOf)
    const texts = new Map<string, number>()
    for (const tool of served) {
      const numbers = Array.from(JSON.stringify(tool).matchAll(/text (\d+)/g), ([, number]) => Number(number))
      hold(new Set(numbers).size === 1, `${tool.name} of ${publicIdOf(site)} is mixed: texts ${numbers}`)
      texts.set(String(tool.name), numbers[0] ?? Number.NaN)
    }
    const where = `${publicIdOf(site)}${path}`
    const names = [...texts.keys()].sort()
    hold(isDeepStrictEqual(names, namesAt[path]), `${where} has ${names}`)
    const shape = text.replaceAll(/text \d+/g, 'text N')
    const expected = this.#shapes.get(where) ?? shape
    this.#shapes.set(where, expected)
    hold(shape === expected, `${where} is ${shape.slice(0, 500)}…, and was ${expected.slice(0, 500)}…`)
    return texts
  }

  /**
   * Checks that texts may be served to a request: they were published, are as recent as `Age` says, and
   * within the promised staleness.
   * @param sent time of the request, in milliseconds since 1970.
   * @param age seconds.
   * @throws Violation
   */
  check(site: number, texts: Texts, sent: number, age: number): void {
    const oldest = this.#outages.oldest(sent)
    hold(
      age * 1_000 <= oldest + 1_000,
      `${publicIdOf(site)} has Age ${age}, and ${oldest / 1_000} are allowed`,
    )
    for (const [name, text] of texts) {
      const id = idOf(site, name)
      const all = this.#of(id)
      const number = this.editionOf(site, name, text)
      hold(all[number] !== undefined, `text ${text} of ${id} was never published`)
      const replaced = all[number + 1]?.acknowledged
      if (replaced === undefined) continue
      const late = sent - replaced
      hold(
        late <= age * 1_000 + 100,
        `edition ${number} of ${id} came ${late} ms after the next one with Age ${age}`,
      )
      hold(
        sent <= this.#outages.deadline(replaced),
        `edition ${number} of ${id} still came ${late} ms after the next one`,
      )
    }
  }

  #of(id: string): Edition[] {
    const editions = this.#editions.get(id)
    if (!editions) throw new Error(`no document ${id}`)
    return editions
  }
}

/** The initial documents. */
export function documents(): ContentDocument[] {
  return Array.from({length: SITES}, (_, site) => {
    const common = {site: {_type: 'reference', _ref: `site-${site}`}}
    return [
      siteDocument({_id: `site-${site}`, publicId: publicIdOf(site)}),
      ...Object.entries(members).map(([name, where]) =>
        name === 'form'
          ? formToolDocument({...common, _id: idOf(site, name), name, pagePath: where, ...fieldsOf(name, 0)})
          : toolDocument({...common, _id: idOf(site, name), name, pathPattern: where, ...fieldsOf(name, 0)}),
      ),
    ]
  }).flat()
}

export const names = Object.keys(members)
