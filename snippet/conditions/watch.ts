import type {Offer} from '../calls.ts'
import type {Config, FormTool, LanguageTexts, OfferedWhile, Tool} from '../config.ts'
import {isObject, type Members, membersOf} from '../members.ts'

/** Milliseconds for which the page is left alone after a look, and for which a condition must hold. */
const PAUSE = 100

/** A page on which conditions begin or end more often than this, in this many milliseconds, changes without end. */
const MOST_CHANGES = 40
const WITHIN = 10_000

/** What is watched already: this is called whenever a config was applied. */
const watched = new WeakSet<Offer>()

/** A tool that the page decides about. */
type Entry = {
  readonly tool: Tool | FormTool
  /** Why it is not offered, at the last look, since when, and as it was last told; undefined: it is. */
  now: string | undefined
  since: number
  told: string | undefined
}

/** Milliseconds in which pages ask again after a tool came or went: not all at once. */
const SPREAD = 7_000

/** Timers know no more than 2 ** 31 - 1. */
const LONGEST = 2_000_000_000

/** Fetches the configs again. A hidden page sends no requests. */
function refresh(): void {
  if (document.hidden) addEventListener('visibilitychange', refresh, {once: true})
  else void window.handrail?.refresh()
}

/** Milliseconds by which the visitor's clock is behind the service's. 0: the service does not say so. */
async function lateness(): Promise<number> {
  const signal = AbortSignal.timeout(9_000)
  const {headers} = await fetch(import.meta.url, {method: 'HEAD', cache: 'no-store', signal})
  return Date.parse(`${headers.get('date')}`) + Number(headers.get('age')) * 1_000 - Date.now() || 0
}

/** Before the first look. */
const UNKNOWN = 'unknown'

/**
 * Watches the page for the conditions of tools (docs/specification.md, “Response”). Nothing about the visitor leaves the page.
 * @param absent gets why a tool is not there, by its name.
 * @param offer is told when the page offers other tools.
 */
export function watch(absent: Map<string, string>, offer: Offer): void {
  if (watched.has(offer)) return
  watched.add(offer)
  let original: Config | undefined
  const originals = new WeakMap<Config, Config>()
  let entries: Entry[] = []
  let isWaiting = false
  let lookedAt = 0
  let isPending = false
  let changes = 0
  let countedSince = 0
  let isFirst = true
  /** Of the times at which tools go, the last one that has come. */
  let over: number

  function look(): void {
    if (changes > MOST_CHANGES) return
    lookedAt = performance.now()
    isPending = false
    let isChanged = false
    let isDue = false
    for (const entry of entries) {
      const reason = unmet(entry.tool.offeredWhile ?? {})
      if (reason !== entry.now) {
        Object.assign(entry, {now: reason, since: lookedAt})
        isChanged = true
      }
      if (reason === entry.told) continue
      // Agents list tools when the page is loaded.
      if (!isFirst && lookedAt - entry.since < PAUSE) isPending = true
      else {
        entry.told = reason
        isDue = true
      }
    }
    isFirst = false
    if (lookedAt > countedSince + WITHIN) {
      countedSince = lookedAt
      changes = 0
    }
    if (isChanged) changes += 1
    if (changes > MOST_CHANGES) {
      observer.disconnect()
      isPending = false
      for (const entry of entries) if (entry.told) entry.told = 'the page changes without end'
      isDue = true
    }
    if (isPending) later()
    if (isDue) void offer(select)
  }

  function later(): void {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      look()
    }, PAUSE)
  }

  const observer = new MutationObserver(() => {
    // While a condition has to hold, each change of the page may end it.
    if (isPending || performance.now() > lookedAt + PAUSE) look()
    else later()
  })

  /** Keeps what is known of tools that were there before. */
  function start(config: Config): void {
    const before = entries
    const {tools = [], formTools = []} = config.conditional ?? {}
    entries = [...tools, ...formTools].map((tool) => {
      const same = before.find((entry) => JSON.stringify(entry.tool) === JSON.stringify(tool))
      return same ?? {tool, now: UNKNOWN, since: 0, told: UNKNOWN}
    })
    over = 0
    const {changesAt, ends = []} = config
    if (changesAt)
      void lateness()
        .catch(() => 0)
        .then((late) => {
          // In this order, also if all have come already: what changes next, and ends, of which the service names the first one first.
          for (const at of new Set([Date.parse(changesAt), ...ends.map(([, end]) => end)])) {
            const rest = at - Date.now() - late
            // The service says what is to come: a clock that is ahead of that is wrong.
            if (rest < LONGEST && (late || rest > 0))
              setTimeout(() => {
                if (config !== original) return
                // What ends goes now, also while the service is not available.
                over = at
                void offer(select)
                setTimeout(refresh, 1_000 + Math.random() * SPREAD)
              }, rest)
          }
        })
    changes = 0
    if (entries.length) observer.observe(document, {subtree: true, childList: true, attributes: true})
    else observer.disconnect()
    look()
  }

  let language: string
  const ofLanguage = new MutationObserver(() => language === pageLanguage() || void offer(select))

  function select(given: Config): Config {
    // The caller knows only what it got.
    const config = originals.get(given) ?? given
    if (config !== original) {
      original = config
      start(config)
    }
    absent.clear()
    for (const {tool, told} of entries) if (told) absent.set(tool.name, told)
    for (const [name, end] of config.ends ?? []) if (end <= over) absent.set(name, 'its time is over')
    const offered = <T extends Tool | FormTool>(always: readonly T[], some: readonly T[] = []) =>
      [...always, ...some].filter(({name}) => !absent.has(name)).map(inLanguage)
    const {tools, formTools, conditional} = config
    language = pageLanguage()
    const chosen = {
      ...config,
      tools: offered(tools, conditional?.tools),
      formTools: offered(formTools, conditional?.formTools),
    }
    originals.set(chosen, config)
    return chosen
  }

  ofLanguage.observe(document.documentElement, {attributeFilter: ['lang']})
  void offer(select)
}

/** @throws Error what the agent is told, if the page has changed since it read the tools. */
export function checkOffered({offeredWhile = {}}: Tool): void {
  const reason = unmet(offeredWhile)
  if (reason) throw new Error(`This tool is not offered any more: ${reason}.`)
}

/** Why the page does not offer a tool now. Undefined: it does. */
function unmet({has = [], hasNot = []}: OfferedWhile): string | undefined {
  for (const selector of [...has, ...hasNot]) {
    const isNeeded = has.includes(selector)
    try {
      if (!Document.prototype.querySelector.call(document, selector) === isNeeded)
        return `the page has ${isNeeded ? 'no ' : ''}“${selector}”`
    } catch {
      return `this browser cannot read “${selector}”`
    }
  }
  return undefined
}

/** The language of the page. */
function pageLanguage(): string {
  return document.documentElement.lang.toLowerCase()
}

/** The texts for a language: “de-CH-1996”, else “de-CH”, else “de” (RFC 4647 §3.4). */
function lookUp(texts: readonly LanguageTexts[]): LanguageTexts | undefined {
  for (let range = pageLanguage(); range; range = range.replace(/(?:-[^-])?-?[^-]*$/, '')) {
    const found = texts.find(({language}) => language.toLowerCase() === range)
    if (found) return found
  }
  return undefined
}

/** A tool with its texts in the language of the page. What these lack stays. */
function inLanguage<T extends Tool | FormTool>(tool: T): T {
  const {language, parameters = [], ...texts} = lookUp(tool.texts ?? []) ?? {}
  return language ? {...tool, ...texts, ...described(tool, parameters)} : tool
}

/** The parameters of a tool, or the fields of a form tool, with these descriptions. */
function described(tool: Tool | FormTool, parameters: NonNullable<LanguageTexts['parameters']>): Members {
  const {inputSchema, fields} = membersOf(tool)
  // The snippet takes the first description of a field.
  if (!isObject(inputSchema)) return {fields: [...parameters, ...(Array.isArray(fields) ? fields : [])]}
  const properties = {...membersOf(inputSchema.properties)}
  for (const {name, description} of parameters)
    if (Object.hasOwn(properties, name)) properties[name] = {...membersOf(properties[name]), description}
  return {inputSchema: {...inputSchema, properties}}
}
