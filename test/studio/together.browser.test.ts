import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {everywhere} from '../../lake/access/rights/rights.ts'
import {TextSync} from '../../studio/inputs/code/textSync.ts'
import {testRepository} from '../lake/support/git.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {screenshot} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {
  charlesBabbage,
  fieldOf,
  goToSignIn,
  mutate,
  openStudio,
  type RunningStudio,
  showAllFields,
  signIn,
  VIEWPORT,
} from './support/studio.ts'

const TOOL = 'tool-search-products'
const PATH = `/structure/sites;shop;tools;${TOOL}`
const SCRIPT = [
  '// Ada:',
  '// Every editor, program and commit has a line of its own, some way from the others.',
  '// The program:',
  '// Every editor, program and commit has a line of its own, some way from the others.',
  '// Charles:',
  '// Every editor, program and commit has a line of its own, some way from the others.',
  'return []',
].join('\n')

/** Characters that each of them types; with CI_DEEP=1, for about a minute. */
const KEYS = IS_DEEP ? 400 : 8

/** Characters that the example's script does not have. */
const MARKS = 'ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ'

/** A text that shows which of its characters is missing. */
function numbered(prefix: string): string {
  let text = ''
  for (let number = 0; text.length < KEYS; number++) text += `${prefix}${number}`
  return text
}

/** Several people, programs and commits at one document, in the real Studio. */
describe('people who edit one tool at the same time in Studio', () => {
  let studio: RunningStudio
  let ada: Page
  let charles: Page

  before(async () => {
    ;({studio, page: ada} = await openStudio(PATH, (page) => page.getByRole('tab', {name: 'All fields'})))
    charles = await open(charlesBabbage)
  })

  after(() => studio?.close())

  async function open(who: {email: string; password: string}): Promise<Page> {
    const page = await studio.newPage()
    await goToSignIn(page, studio, PATH)
    await signIn(page, who)
    await page.getByRole('tab', {name: 'All fields'}).waitFor()
    return page
  }

  const editorOf = (page: Page) => page.getByTestId('code-javascript').locator('.cm-content')
  const linesIn = async (page: Page) =>
    (await editorOf(page).locator('.cm-line').allInnerTexts()).map((line) => line.replace('\n', ''))

  async function draftScript(): Promise<string> {
    const url = `/v2025-02-19/data/doc/production/drafts.${TOOL}`
    const draft = await ada.evaluate(
      `fetch('${url}').then(async (response) => (await response.json()).documents[0]?.executeJs)`,
    )
    return String(draft)
  }

  /** Waits until the draft is what both editors show. */
  async function agreed(): Promise<string> {
    const [draft] = await eventually(
      async () => [await draftScript(), (await linesIn(ada)).join('\n'), (await linesIn(charles)).join('\n')],
      ([script, ...editors]) => editors.every((text) => text === script),
    )
    return draft ?? ''
  }

  /** Puts the cursor at the end of a line. */
  async function goToLine(page: Page, line: string): Promise<void> {
    await editorOf(page).locator('.cm-line').filter({hasText: line}).click()
    // The first one goes to the end of a row, if the line is wrapped.
    await page.keyboard.press('End')
    await page.keyboard.press('End')
  }

  async function typeAt(page: Page, line: string, text: string): Promise<void> {
    await goToLine(page, line)
    // People type some seven characters a second.
    await page.keyboard.type(text, {delay: 150})
  }

  async function writeAt(page: Page, line: string, text: string): Promise<void> {
    await goToLine(page, line)
    await page.keyboard.insertText(text)
  }

  test('keep every character that two editors, a program and a commit add to one script', async () => {
    for (const page of [ada, charles]) await showAllFields(page)
    await writeScriptAs(ada)
    await eventually(
      () => linesIn(charles),
      (lines) => lines.join('\n') === SCRIPT,
    )
    const program = async () => {
      for (const character of numbered('p')) {
        const text = await draftScript()
        const at = text.indexOf('\n', text.indexOf('// The program:'))
        const executeJs = new TextSync(text).typed([{from: at, to: at, insert: character}])
        await mutate(charles, {patch: {id: `drafts.${TOOL}`, diffMatchPatch: {executeJs}}})
      }
    }
    const commit = async () => {
      const file = {[`tool/${TOOL}.js`]: `${SCRIPT}\n// committed\n`}
      await testRepository(studio.repository.dir).commit(file)
    }
    await Promise.all([
      typeAt(ada, '// Ada:', numbered('a')),
      typeAt(charles, '// Charles:', numbered('c')),
      program(),
      commit(),
    ])

    const expected = SCRIPT.replace('// Ada:', `// Ada:${numbered('a')}`)
      .replace('// The program:', `// The program:${numbered('p')}`)
      .replace('// Charles:', `// Charles:${numbered('c')}`)
    const script = await agreed()
    await screenshot(ada, 'together.png')
    assert.equal(script, expected)
  })

  test('type into one field, and each goes on where they were', async () => {
    const before = await fieldOf(ada, 'description').inputValue()
    for (const page of [ada, charles]) await fieldOf(page, 'description').focus()
    await ada.keyboard.press('ControlOrMeta+End')
    await charles.keyboard.press('ControlOrMeta+Home')
    await Promise.all([
      ada.keyboard.type(numbered('a'), {delay: 100}),
      charles.keyboard.type(numbered('c'), {delay: 100}),
    ])
    for (const page of [ada, charles])
      await eventually(
        () => fieldOf(page, 'description').inputValue(),
        numbered('c') + before + numbered('a'),
      )
  })

  test('describe one parameter, and each keeps what is typed before leaving the field', async () => {
    const described = (page: Page) => page.getByTestId('parameter-description').first()
    const before = await described(ada).inputValue()
    await described(charles).focus()
    await charles.keyboard.press('ControlOrMeta+Home')
    await charles.keyboard.type('first ')
    await described(ada).focus()
    await ada.keyboard.press('ControlOrMeta+End')
    await ada.keyboard.type(' last')
    await ada.keyboard.press('Tab')
    await eventually(() => described(charles).inputValue(), `first ${before} last`)
    await charles.keyboard.type('words ')
    await charles.keyboard.press('Tab')
    await eventually(() => described(ada).inputValue(), `first words ${before} last`)
  })

  test('undo what they typed themselves, and nothing of others', async () => {
    // Each is one change, however slow the machine is.
    await writeAt(ada, 'return []', ' // undone')
    await writeAt(charles, '// Charles:', ' stays')
    await eventually(
      () => linesIn(ada),
      (lines) => lines.some((line) => line.endsWith(' stays')) && lines.includes('return [] // undone'),
    )
    await editorOf(ada).press('ControlOrMeta+Z')
    await eventually(
      () => linesIn(charles),
      (lines) => lines.includes('return []') && lines.some((line) => line.endsWith(' stays')),
    )
  })

  test('compose a character while others type, and both are there once', async () => {
    await goToLine(ada, 'return []')
    const keyboard = await ada.context().newCDPSession(ada)
    await keyboard.send('Input.imeSetComposition', {text: 'にほ', selectionStart: 2, selectionEnd: 2})
    await writeAt(charles, '// Charles:', ' meanwhile')
    await eventually(draftScript, / meanwhile/)
    await keyboard.send('Input.imeSetComposition', {text: 'にほん', selectionStart: 3, selectionEnd: 3})
    await keyboard.send('Input.insertText', {text: '日本'})
    const composed = (lines: string[]) =>
      lines.includes('return []日本') && lines.some((line) => line.endsWith(' meanwhile'))
    for (const page of [ada, charles]) await eventually(() => linesIn(page), composed)
    await eventually(draftScript, (script) => composed(script.split('\n')))
  })

  test('keep what they type while the lake is away, and it is saved when the lake is back', async () => {
    const notSaved = ada.getByTestId('not-saved')
    await ada.route(/\/data\/actions\//, (route) => route.abort())
    await writeAt(ada, 'return []日本', ' // away')
    await notSaved.filter({hasText: 'Not saved: Studio cannot reach the content lake.'}).waitFor()
    await studio.stopLake()
    await ada.unroute(/\/data\/actions\//)
    assert.ok((await linesIn(ada)).includes('return []日本 // away'))
    await studio.startLake()
    for (const page of [ada, charles])
      await eventually(
        () => linesIn(page),
        (lines) => lines.includes('return []日本 // away'),
      )
    await eventually(draftScript, /return \[\]日本 \/\/ away/)
    await notSaved.waitFor({state: 'detached'})
  })

  test('restore a revision while somebody types, who keeps what is typed then', async () => {
    await charles.getByTestId('pane-context-menu-button').last().click()
    await charles.getByTestId('action-history').click()
    const published = charles.getByTestId('timeline-item-button').filter({hasText: 'Published'})
    await published.last().click()
    await charles.getByRole('button', {name: /revert to revision/i}).click()
    await goToLine(ada, 'return []日本')
    const confirm = charles
      .getByTestId('confirm-button')
      .or(charles.getByTestId('confirm-popover-confirm-button'))
    await Promise.all([ada.keyboard.type(MARKS.slice(0, -1), {delay: 150}), confirm.first().click()])
    const seed = (await studio.repository.git('show', `HEAD~1:tool/${TOOL}.js`)).trimEnd()
    await eventually(draftScript, (script) => !script.includes('// Charles:'))
    await ada.keyboard.type(MARKS.slice(-1))
    await eventually(draftScript, (script) => script.includes(MARKS.slice(-1)))
    // After a restore, Studio opens the form at its first tab.
    await showAllFields(charles)
    const restored = await agreed()
    assert.equal(restored.replace(/[Ⅰ-Ⅻ]/g, ''), seed)
    const kept = restored.replace(/[^Ⅰ-Ⅻ]/g, '')
    assert.ok(MARKS.endsWith(kept), `what was typed after the restore is there: ${kept}`)
  })

  test('keep what they typed when their role changes, and read why it is not saved', async () => {
    await writeScriptAs(ada)
    await agreed()
    await studio.accounts.setRights(charlesBabbage.email, everywhere('viewer'))
    await writeAt(charles, 'return []', ' // kept')
    const notSaved = charles.getByTestId('not-saved')
    await notSaved.filter({hasText: 'Not saved: you may no longer change this document.'}).waitFor()
    await notSaved.filter({hasText: 'This tab keeps what you typed.'}).waitFor()
    const top = (await notSaved.boundingBox())?.y ?? -1
    assert.ok(top > 0 && top < VIEWPORT.height, 'it can be seen, although the form is scrolled to the script')
    await screenshot(charles, 'not-saved.png')
    assert.ok((await linesIn(charles)).includes('return [] // kept'))
    assert.equal(await charles.evaluate('saving.isSaved'), false)
    assert.ok(!(await draftScript()).includes('// kept'))
  })

  /** Replaces the script, and waits until it is saved. */
  async function writeScriptAs(page: Page): Promise<void> {
    await editorOf(page).click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(SCRIPT)
    await eventually(draftScript, SCRIPT)
  }
})
