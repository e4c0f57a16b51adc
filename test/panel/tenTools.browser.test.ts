import assert from 'node:assert/strict'
import {after, before, describe, type TestContext, test} from 'node:test'
import type {BrowserContext, Locator, Page} from 'playwright-core'
import {parseMadeTool, toolsIn} from '../../making/madeTool.ts'
import {handedIn} from '../../making/studioLink.ts'
import {previewLink} from '../../snippet/previewLink.ts'
import {agentOf} from '../snippet/support/agent.ts'
import {configOf} from '../support/answers.ts'
import type {ContentDocument} from '../support/content.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument} from '../support/shop.ts'
import {startCinema} from '../support/websites/cinema.ts'
import {startJobBoard} from '../support/websites/jobBoard.ts'
import {startLibrary} from '../support/websites/library.ts'
import {startRecipes} from '../support/websites/recipes.ts'
import {type PreviewStage, startPreviewStage} from './support/previewStage.ts'

/** Does what an editor does, such as “type q: rope”, “click Go”, “make getJobs findJobs”, and counts clicks and texts. */
async function makeTools(page: Page, steps: string) {
  const made: ContentDocument[] = []
  let [clicks, texts] = [0, 0]
  const click = (target: Locator) => {
    clicks += 1
    return target.click()
  }
  const ofPage = (role: 'button' | 'link', name: string) =>
    page.locator('body').getByRole(role, {name, exact: true})
  for (const [, verb, what = '', text = ''] of steps.matchAll(/(\w+) ([^:;]+)(?:: ([^;]+))?;\s*/g)) {
    await page.getByText('Tick what agents may use.').waitFor()
    const field = page.locator(`body [name="${what}"]`).first()
    if (verb === 'click') await click(ofPage('button', what).or(ofPage('link', what)).first())
    else if (verb === 'choose') {
      clicks += 2
      await field.selectOption(text)
    } else if (verb === 'type') {
      texts += 1
      await field.fill(text)
    } else {
      for (const name of what.split(' ')) await click(page.locator(`[data-proposal=${name}] [type=checkbox]`))
      const link = page.getByRole('link', {name: /^Make (?:1 draft|\d+ drafts)$/})
      const opening = page.context().waitForEvent('page')
      const {hash} = new URL((await link.getAttribute('href')) ?? '')
      await click(link)
      await (await opening).close()
      const tools = toolsIn(handedIn(hash)?.value)
      for (const tool of tools.ok ? tools.value : []) {
        const parsed = parseMadeTool(tool)
        assert.ok(parsed.ok, JSON.stringify(parsed))
        made.push({...parsed.value.document, _id: parsed.value.id})
      }
    }
  }
  return {clicks, texts, made}
}

const job = (trade: string, town: string, n: number) =>
  `{"title":"${trade} in ${town}","address":"ORIGIN/jobs/${401 + n}","employer":"${town} Docks Ltd","price":"€${2_900 + n * 50}"}`
const film = (title: string, genre: string, n: number) =>
  `{"title":"${title}","address":"ORIGIN/#/films/f${n}","genre":"${genre}","length":"${75 + n * 5} min"}`
const recipe = (title: string, n: number) =>
  `{"title":"${title}","address":"ORIGIN/recipes/${title.toLowerCase().replaceAll(' ', '-')}","time":"${20 + n * 5} min"}`

/**
 * A website, how its tools are made from its first page on, and how they are called: each line has a page, a tool, its arguments, and
 * how the JSON begins that an agent gets; of a form, and of a visitor, what a visitor presses, and what the page shows then.
 */
const CASES = {
  'job-board': {
    start: startJobBoard,
    make: `/jobs
make getJobs searchJobs; type q: er in; click Go; make findJobs; click Pay; make getWhatPeopleEarn; click Help; make getHelp;
click Account; type email: ada@mail.example; type password: PASSWORD-77; click Sign in; click Jobs;
click Crane operator in Kiel; click Save this job; make getJob saveThisJob sendApplication; click Account; make getSavedJobs;`,
    calls: `
/help getHelp {} {"help":[{"title":"How do I apply?","text":"On its page."},{"title":"What does it cost?","text":"Nothing."}]}
/help findJobs {"query":"kiel"} {"jobs":[${job('Crane operator', 'Kiel', 1)},${job('Ship cook', 'Kiel', 4)},${job('Welder', 'Kiel', 7)},${job('Sail maker', 'Kiel', 10)},${job('Diver', 'Kiel', 13)}]}
/pay getWhatPeopleEarn {} {"whatPeopleEarn":[{"Trade":"Crane operator","Trade (address)":"ORIGIN/jobs?q=Crane%20operator","From":"€2500"},
/pay searchJobs {"q":"diver"} shows “Diver in Aarhus”
/jobs getJobs {} {"jobs":[${job('Crane operator', 'Bergen', 0)},${job('Crane operator', 'Kiel', 1)},${job('Crane operator', 'Aarhus', 2)}]}
/jobs saveThisJob {"jobId":"410"} {"isError":true,"content":[{"type":"text","text":"The website says: “Sign in first”
/login visitor {"email":"bo@mail.example","password":"x"} presses “Sign in”, shows “Your account”
/jobs/409 getJob {} {"title":"Welder in Aarhus","facts":{"Employer":"Aarhus Docks Ltd","Pay":"€3300"}}
/jobs/409 saveThisJob {"jobId":"410"} {"title":"Sail maker in Bergen","count":2}
/jobs/409 sendApplication {"letter":"Hello"} presses “Send application”, shows “Hello”
/account getSavedJobs {} {"savedJobs":[{"No.":"1","Job":"Crane operator in Kiel"},{"No.":"2","Job":"Sail maker in Bergen"}]}`,
  },
  'cinema-app': {
    start: startCinema,
    make: `/#/films
make getFilms; type words: e; choose genre: Comedy; click Show; make searchFilms showFilms; click Low Tide 1; choose seats: 2;
click Book seats; make getFilm2 getFilm bookSeats; click Times; make getTimes getPrices; click Contact; make getContact sendQuestion;`,
    calls: `
/#/films getFilms {} {"films":[${film('The Lantern 1', 'Drama', 1)},${film('Low Tide 1', 'Comedy', 2)},${film('Night Ferry 1', 'Thriller', 3)},${film('The Lantern 2', 'Drama', 4)},${film('Low Tide 2', 'Comedy', 5)},${film('Night Ferry 2', 'Thriller', 6)},${film('The Lantern 3', 'Drama', 7)},${film('Low Tide 3', 'Comedy', 8)},${film('Night Ferry 3', 'Thriller', 9)}]}
/#/films searchFilms {"words":"ferry","genre":"Thriller"} [{"id":"f3","title":"Night Ferry 1","genre":"Thriller","minutes":90},{"id":"f6",
/#/films showFilms {"words":"ferry","genre":"Thriller"} presses “Show”, shows “Night Ferry 2”
/#/films/f3 getFilm {} {"title":"Night Ferry 1","facts":{"Length":"90 minutes","Genre":"Thriller"}}
/#/films/f3 getFilm2 {"filmId":"f4"} {"id":"f4","title":"The Lantern 2","genre":"Drama","minutes":95}
/#/films/f3 bookSeats {"filmId":"f4","seats":"2"} {"number":"B-2","film":"The Lantern 2","seats":"2"}
/#/times getTimes {} {"times":[{"Film":"Low Tide","Hall":"Hall 1"},{"Film":"Night Ferry","Hall":"Hall 2"}]}
/#/times getPrices {} {"prices":{"Adults":"€12","Children":"€7"}}
/#/contact getContact {} {"contact":{"Address":"Quay 3","Telephone":"0431 12"}}
/#/contact sendQuestion {"question":"When?"} presses “Send question”, shows “Thank you”`,
  },
  'recipes-turbo': {
    start: startRecipes,
    make: `/
make getRecipes searchRecipes; type query: pie; click Search; make findRecipes; click Units; make getUnits; click Basket; make getBasket; click This week; make getThisWeek;
click Rye bread 1; make getRecipe getIngredients getComments addComment;`,
    calls: `
/week getThisWeek {} {"thisWeek":[{"Day":"Monday","Dish":"Fish soup 1","Dish (address)":"ORIGIN/recipes/fish-soup-1"},{"Day":"Tuesday",
/units getUnits {} {"units":{"Cup":"240 ml","Spoon":"15 ml"}}
/basket getBasket {} {"basket":["Onions","Rye flour","Salt"]}
/week findRecipes {"query":"soup"} {"recipes":[${recipe('Fish soup 1', 0)},${recipe('Fish soup 2', 3)},${recipe('Fish soup 3', 6)}]}
/ getRecipes {} {"recipes":[${recipe('Fish soup 1', 0)},${recipe('Rye bread 1', 1)},
/ searchRecipes {"query":"soup"} shows “Fish soup 3”
/recipes/apple-pie-1 getRecipe {} {"title":"Apple pie 1","facts":{"Serves":"4","Time":"30 min"}
/recipes/apple-pie-1 getIngredients {} {"ingredients":["1 onion","2 l water","Salt"]}
/recipes/apple-pie-1 addComment {"comment":"More apples."} presses “Add comment”, shows “More apples.”
/recipes/apple-pie-1 getComments {} {"comments":[{"title":"Guest 1","text":"Needs salt."},{"title":"Guest 2","text":"My children like it."},{"title":"Guest 3","text":"More apples."}]}`,
  },
  'library-post': {
    start: startLibrary,
    make: `/books.php
type title: knots; click Show; make findBooks; click Staff; type ctl00$Main$txtSearch: o; click Look up; make findStaff;
click Events; type words: story; click Show; make findEvents;`,
    calls: `
/events findBooks {"title":"zeug"} {"books":[{"title":"Ölzeug","address":"ORIGIN/opac/books/b2","shelf":"Row 8"}]}
/events findBooks {"title":"maps"} {"found":0,"message":"Nothing was found for “maps”."}
/Staff.aspx findEvents {"words":"chess"} {"events":[{"title":"Chess","day":"4 May"}]}
/Staff.aspx findStaff {"search":"ada"} {"staff":[{"Name":"Ada Rope","Phone":"100"}]}`,
  },
}

const CALL = /^(\S+) (\w+) (\{.*?\}) (?:(?:presses “(.+)”, )?shows “(.+)”|(.+))$/gm

describe('an editor makes the tools of a website by clicks alone, and agents call them', () => {
  let stage: PreviewStage
  before(async () => {
    const sites = Object.keys(CASES).map((id) => siteDocument({_id: id, publicId: id}))
    stage = await startPreviewStage([siteDocument(), ...sites])
  })
  after(() => stage?.close())

  async function contextOf(t: TestContext): Promise<BrowserContext> {
    const context = await stage.browser.newContext({viewport: {width: 1100, height: 960}})
    t.after(() => context.close())
    await context.route('https://studio.example/**', (route) => route.fulfill({body: ''}))
    return context
  }

  for (const [id, {start, make, calls: listed}] of Object.entries(CASES).filter(([id]) =>
    id.includes(process.env.ONLY ?? ''),
  ))
    test(id, async (t) => {
      const website = await start(stage.tag('', id))
      t.after(() => website.close())
      const tab = await (await contextOf(t)).newPage()
      await tab.goto(previewLink(website.address + make.split('\n')[0], id, 'SECRET', 'new tool'))
      const {clicks, texts, made} = await makeTools(tab, make)
      t.diagnostic(`${made.length} tools with ${clicks} clicks and ${texts} texts`)
      assert.ok(clicks <= 30 && texts <= 3, `${clicks} clicks, ${texts} texts`)
      const calls = [...listed.matchAll(CALL)]
      assert.deepEqual(
        new Set(made.map(({name}) => name)),
        new Set(calls.flatMap(([, , tool = '']) => (tool === 'visitor' ? [] : [tool]))),
      )

      const site = {_type: 'reference', _ref: id}
      await stage.house.repository.commit(made.map((tool) => ({...tool, site})))
      await eventually(
        () => configOf(stage.house.config(id)),
        ({names}) => names.length === made.length,
      )
      const context = await contextOf(t)
      let page = await context.newPage()
      let agent = await agentOf(page)
      for (const [, path, tool = '', json = '', button, shown, got = ''] of calls) {
        if (page.url() !== website.address + path) {
          page = await context.newPage()
          agent = await agentOf(page)
          await page.goto(website.address + path)
          // The cinema loads a film after its page, on a slow machine later than a tool waits for it.
          await page.locator('h1').first().waitFor()
        }
        const names = () => agent.names()
        if (tool !== 'visitor') await eventually(names, (names) => names.includes(tool))
        const args: Record<string, string> = JSON.parse(json)
        if (!shown) {
          const {output} = await agent.call(tool, args)
          // Chromium’s protocol leaves what has letters of Latin-1 as a text.
          const text = (typeof output === 'string' ? output : JSON.stringify(output)).replaceAll(
            website.address,
            'ORIGIN',
          )
          assert.equal(text.slice(0, got.length), got, tool)
          continue
        }
        if (tool === 'visitor')
          for (const [name, text] of Object.entries(args)) await page.locator(`[name=${name}]`).fill(text)
        else await agent.begin(tool, args)
        const [name = '', value = ''] = Object.entries(args).at(-1) ?? []
        if (button) {
          await eventually(() => page.locator(`form [name=${name}]`).last().inputValue(), value)
          await page.getByRole('button', {name: button, exact: true}).click()
        }
        await page.locator('body').getByText(shown, {exact: true}).waitFor()
      }
    })
})
