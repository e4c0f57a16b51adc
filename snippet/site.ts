import type {CallsModule, Offer} from './calls.ts'
import {type Config, type Failure, fetchConfig, parseConfig} from './config.ts'
import {createForms} from './forms.ts'
import {announce, type SiteState} from './handrail.ts'
import {
  FIRST_RETRY,
  IDLE_AFTER,
  LAST_RETRY,
  LOAD_CALLS_AFTER,
  LONGEST_WAIT,
  MAX_AGE,
  PATH_REST,
  TIMEOUT,
} from './limits.ts'
import {messageOf} from './messageOf.ts'
import {
  addEventListener,
  all,
  clearTimeout,
  PageMap,
  PagePromise,
  read,
  setTimeout,
  stringify,
} from './page.ts'
import {createTools} from './tools.ts'
import type {ModelContext} from './webmcp.ts'

/**
 * Keeps a site's tools registered while the page is open.
 * @param base the address of the service, with a trailing slash.
 * @param debug logs each state to the console.
 * @param here the path of the page.
 * @param nonce of the tag, which a config in the page's HTML must have, too: who may write HTML there may not decide what runs.
 * @param fetchFrom the source of configs, and `loadCalls` loads what calls tools: previews have other ones.
 */
export function startSite(
  context: ModelContext,
  base: string,
  siteId: string,
  debug: boolean,
  here: () => string,
  nonce: string,
  fetchFrom = fetchConfig,
  loadCalls: () => Promise<CallsModule> = callsFrom(base),
): void {
  const siteUrl = `${base}api/sites/${siteId}/`
  const say = (level: 'info' | 'warn', message: string) => console[level](`[handrail] ${siteId}: ${message}`)

  const refresh = () => check('no-cache')
  const tell = announce(siteId, refresh)
  if (!tell) return

  let changes = 0
  const problems = new PageMap<string, string>()
  const changed = () => {
    changes += 1
  }
  /** The path whose config was applied last. */
  let served: string | undefined
  const isCurrent = () => served === here()
  const [registered, applyTools] = createTools(
    context,
    siteUrl,
    refresh,
    problems,
    changed,
    loadCalls,
    isCurrent,
  )
  const pageChanged = () => inTurn(settleForms)
  const [wanted, held, want, settle] = createForms(context, pageChanged, problems, changed)

  /** Why tools are not offered that the page decides about, and what adds the others to a config. */
  const absent = new PageMap<string, string>()
  let select: ((config: Config) => Config) | undefined

  let path = ''
  /** When the page went to `path`. */
  let arrivedAt = 0
  /**
   * The tag of the last config that was applied without problems: any other tag would lead to "not modified"
   * each time.
   */
  let tag: Config['tag']
  /** The last one that was applied. */
  let current: Config
  let failures = 0
  /** Whether the next poll is soon enough for the last answer. */
  let isFresh: boolean
  /** Why a config in the page's HTML is not used. */
  let ignored: string | undefined
  let told: SiteState | undefined

  /** The current check. A response to any earlier one is for an older path, or from before a refresh. */
  let attempt: AbortController | undefined
  let checked: Promise<void>
  /** When the next check is due, in milliseconds. 0: one is in flight. */
  let due = 0
  /** How long that was when it was set: the clock may be set back since. */
  let pause: number
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn: Promise<void> | undefined

  /** Runs changes of tools and forms one at a time. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    // Also after one that failed.
    turn = turn ? turn.then(task, task) : task()
    return turn
  }

  function check(cache: RequestCache): Promise<void> {
    attempt?.abort()
    attempt = new AbortController()
    due = 0
    setTimer()
    if (path !== here()) {
      path = here()
      arrivedAt = Date.now()
      // Later than needed, because the clock may be adjusted.
      setTimeout(() => inTurn(settleForms), IDLE_AFTER + 500)
      update('loading')
    }
    checked = run(attempt, cache)
    return checked
  }

  async function run(mine: AbortController, cache: RequestCache): Promise<void> {
    isFresh = true
    const inPage = !served && configInPage()
    const answer =
      inPage || (await fetchFrom(`${siteUrl}config?path=${encodeURIComponent(path)}`, cache, tag, mine))
    // No agent sees a part of the tools, or one in another language first. Without what decides, the others come all the same.
    if (answer && 'tools' in answer && (answer.conditional || answer.formTools[0]))
      await new PagePromise<unknown>((resolve) => {
        setTimeout(resolve, TIMEOUT)
        const told = tellCalls(answer)
        // A form of a config in the HTML is a tool at `load`; any other one once its calls are counted and answered.
        const proceed = () => {
          if (select || (inPage && !answer.conditional)) resolve(0)
          // To resolve with it would leave the end to it.
          else void told.then(resolve)
        }
        if (document.readyState === 'loading')
          // Before the listeners of the page, and after its deferred scripts.
          addEventListener('DOMContentLoaded', proceed, true)
        else proceed()
      })
    let wait = 0
    await inTurn(async () => {
      if (mine !== attempt) return
      let failure: Failure | undefined
      try {
        if (answer && 'error' in answer) failure = answer
        else if (answer) await apply(answer)
      } catch (thrown) {
        // The page has replaced something that is needed here.
        failure = {error: messageOf(thrown)}
      }
      if (failure) {
        if (!failures) say('info', `no config: ${failure.error}`)
        wait = Math.max(
          Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY),
          Math.min(failure.retryAfter || 0, LONGEST_WAIT),
        )
        failures += 1
        update('failed', failure.error)
      } else {
        failures = 0
        // The page may have navigated in the meantime: these would no longer be the tools of `path`.
        if (mine === attempt) {
          served = path
          wait = isFresh ? current.pollInterval * 0.9 : 0
          update('ready', ignored)
        }
      }
    })
    if (mine !== attempt) return checked
    // Jitter of up to two ninths: polls are up to 10 % early or late, and retries never early.
    pause = wait * (1_000 + Math.random() * 222)
    due = Date.now() + pause
    setTimer()
  }

  /** The config in the page's HTML. Undefined if there is none for this site and path. */
  function configInPage(): Config | undefined {
    for (const {dataset, text, nonce: own} of all<HTMLScriptElement>('script[data-handrail]'))
      try {
        const isOurs = dataset.handrail === siteId && dataset.path === path && (nonce || own) === own
        const config = parseConfig(isOurs ? text : 'null', dataset.tag)
        // Fresh as a response of the endpoint is, or fetched at once. A clock that is wrong only costs that request.
        isFresh = !isReload && Math.abs(Date.now() - Date.parse(`${dataset.at}`)) < MAX_AGE
        ignored = undefined
        return config
      } catch (error) {
        ignored = messageOf(error)
      }
    return undefined
  }

  async function apply(config: Config): Promise<void> {
    tag = undefined
    current = select ? select(config) : config
    problems.clear()
    // In one turn, so that no agent sees a part of what goes and of what comes.
    want(current.formTools)
    const applied = applyTools(current.tools)
    await settle()
    await applied
    // Early, so that a call still works if the service does not.
    if (wanted.size || registered.size) setTimeout(() => tellCalls(current), LOAD_CALLS_AFTER)
    if (!problems.size) tag = config.tag
  }

  /** Applies the config again, because the page offers other tools of it. */
  const offer: Offer = (chosen) => {
    select = chosen
    return inTurn(async () => {
      if (current) await apply(current)
      await settleForms()
    })
  }

  // A module of the page’s HTML, which is deferred, decides before others could be loaded.
  addEventListener('handrail:decide', ({detail}) => detail(absent, offer))

  /** The form that was sent last: what counts it may not be there yet. */
  let early: SubmitEvent | undefined
  addEventListener('submit', (event) => (early = event), true)

  function tellCalls(config: Config): Promise<void> {
    return loadCalls()
      .then(({applied}) => applied?.(siteUrl, config, absent, offer, early))
      .catch(() => {})
  }

  async function settleForms(): Promise<void> {
    await settle()
    if (told) update(told.state, told.error)
  }

  /** Updates the page's state, and logs each problem once while it lasts. */
  function update(state: SiteState['state'], error?: string): void {
    // A form may also be on other pages only, so this is not a warning.
    const found = new PageMap([...absent, ...problems])
    if (Date.now() > arrivedAt + IDLE_AFTER)
      for (const [key, {name, selector}] of wanted)
        if (!held.has(key) && !found.has(name)) found.set(name, `no form matches ${selector}`)
    const next: SiteState = {
      state,
      error,
      path,
      tools: namesOf(registered),
      forms: namesOf(held),
      problems: Object.fromEntries(found),
      changes,
    }
    for (const [name, message] of problems)
      if (told?.problems[name] !== message) say('warn', `problem with ${name}: ${message}`)
    const text = stringify(next)
    if (text === stringify(told)) return
    told = next
    if (debug) say('info', text)
    tell?.(next)
  }

  /** A hidden page sends no requests. When it is shown again, a check that is due runs at once. */
  function setTimer(): void {
    clearTimeout(timer)
    // Also when the page enters or leaves the back/forward cache. `document.open()` removes listeners, and adding
    // one twice changes nothing.
    addEventListener('visibilitychange', setTimer, true)
    if (due && !read(Document, 'hidden', document))
      timer = setTimeout(
        () => (read(Document, 'hidden', document) ? setTimer() : refresh()),
        Math.min(pause, due - Date.now()),
      )
  }

  // Browsers that need the polyfill may lack the Navigation API, and pages may have a variable of its name.
  const activation = window.navigation?.activation
  const isReload = activation?.navigationType === 'reload'
  let rest: ReturnType<typeof setTimeout> | undefined
  const followPath = (event?: Event) => {
    if (path !== here() && !(event && rest)) void check('default')
    clearTimeout(rest)
    rest = event && setTimeout(followPath, PATH_REST)
  }
  if (activation) navigation.addEventListener('currententrychange', followPath)
  else setInterval(followPath, 500)
  // A person who reloads the page wants what is published now. The first request takes the page's preload, which
  // would stand in for this one too.
  void check('default')
  if (isReload) void refresh()
}

function namesOf(tools: ReadonlyMap<unknown, {tool: {name: string}}>): string[] {
  return [...tools.values()].map(({tool}) => tool.name)
}

/** Loads the module. A failed one is loaded from another address: browsers keep the failure of the first. */
function callsFrom(base: string): () => Promise<CallsModule> {
  let url = `${base}snippet.calls.js`
  return () =>
    import(url).catch((error) => {
      url += '?'
      throw error
    })
}
