import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Administration} from '../../../lake/access/administration.ts'
import type {Principal} from '../../../lake/access/principal.ts'
import {everywhere, type Rights} from '../../../lake/access/rights/rights.ts'
import {actorOf, NO_AUDIT} from '../../../lake/audit/events.ts'
import {newAccounts} from '../support/signIn.ts'

const PASSWORD = 'correct horse battery'
const AUTHOR: Rights = [{role: 'author', sites: ['shop']}]
const SITE_ADMINISTRATOR: Rights = [{role: 'administrator', sites: ['shop']}]

/** Ada, an author of one site, with the administrators of that site and of all sites. */
async function people() {
  const accounts = newAccounts()
  const named = (name: string, rights: Rights) =>
    accounts.addEditor({name, email: `${name}@example.com`, rights})
  const [ada, ofSite, ofAll] = [
    await named('ada', AUTHOR),
    await named('sam', SITE_ADMINISTRATOR),
    await named('root', everywhere('administrator')),
  ]
  const as = (principal: Principal, isLimited = true) =>
    new Administration({accounts, by: actorOf(principal), isLimited, audit: NO_AUDIT})
  /** Somebody signs in with a link of an administrator. */
  const signIn = async (by: Principal) => accounts.redeemLink(await as(by).makeLink(ada))
  const setPassword = async (by: Principal) => {
    await signIn(by)
    await accounts.setPassword(ada.email, PASSWORD)
  }
  const isSignedIn = async () => (await accounts.byPassword(ada.email, PASSWORD)) !== undefined
  return {accounts, ada, ofSite, ofAll, as, signIn, setPassword, isSignedIn}
}

type People = Awaited<ReturnType<typeof people>>

/** Gives Ada a credential, and returns whether it works later. */
type Give = (people: People) => Promise<() => Promise<boolean>>

const linkOf =
  (code: string, {accounts}: People) =>
  async () =>
    accounts.peekLink(code) !== undefined

/**
 * What each credential does when the rights of its person grow, when they shrink, and when the person is removed. A preview
 * link has no person: its secret expires within two hours. A token has rights of its own.
 */
const TABLE: [credential: string, works: [grown: boolean, shrunk: boolean, removed: boolean], give: Give][] =
  [
    [
      'a sign-in link',
      [false, true, false],
      async (people) => linkOf(await people.as(people.ofAll).makeLink(people.ada), people),
    ],
    [
      'an invitation',
      [false, true, false],
      async (people) => {
        await people.accounts.removeEditor(people.ada.email)
        const {code} = await people.as(people.ofSite).invite(people.ada)
        return linkOf(code, people)
      },
    ],
    [
      'a session',
      [false, true, false],
      async ({accounts, ada, ofAll, signIn}) => {
        const generation = (await signIn(ofAll))?.generation
        return async () => (await accounts.bySession({editorId: ada.id, generation})) !== undefined
      },
    ],
    [
      'a password of the command line',
      [true, true, false],
      async ({accounts, ada, isSignedIn}) => {
        await accounts.setPassword(ada.email, PASSWORD)
        return isSignedIn
      },
    ],
    [
      'a password that an administrator of all sites could have set',
      [true, true, false],
      async ({ofAll, setPassword, isSignedIn}) => {
        await setPassword(ofAll)
        return isSignedIn
      },
    ],
    [
      'a password that an administrator of one site could have set',
      [false, true, false],
      async ({ofSite, setPassword, isSignedIn}) => {
        await setPassword(ofSite)
        return isSignedIn
      },
    ],
    [
      'a password after a link of an administrator of one site, who could have replaced it',
      [false, true, false],
      async ({ofSite, ofAll, signIn, setPassword, isSignedIn}) => {
        await signIn(ofSite)
        await setPassword(ofAll)
        return isSignedIn
      },
    ],
    [
      'a password that a removed administrator could have set',
      [false, true, false],
      async ({ofSite, ofAll, as, setPassword, isSignedIn}) => {
        await setPassword(ofSite)
        await as(ofAll).removeEditor(ofSite.email)
        return isSignedIn
      },
    ],
    [
      'a password that an administrator of one site invited, who is administrator of all by now, could have set',
      [true, true, false],
      async ({ofSite, ofAll, as, setPassword, isSignedIn}) => {
        await setPassword(ofSite)
        await as(ofAll).setRights(ofSite.email, everywhere('administrator'))
        return isSignedIn
      },
    ],
    [
      'a token that they made',
      [true, true, true],
      async ({accounts, ada, as}) => {
        const {token} = await as(ada, false).addToken('ci', AUTHOR)
        return async () => (await accounts.tokens.byToken(token)) !== undefined
      },
    ],
  ]

for (const [credential, [grown, shrunk, removed], give] of TABLE) {
  test(`${credential} ${grown ? 'outlives' : 'ends with'} more rights, ${shrunk ? 'outlives' : 'ends with'} fewer, and ${removed ? 'outlives' : 'ends with'} the removal of the person`, async () => {
    for (const [change, expected] of [
      [(all: People) => all.as(all.ofAll).setRights(all.ada.email, everywhere('administrator')), grown],
      [(all: People) => all.as(all.ofAll).setRights(all.ada.email, []), shrunk],
      [(all: People) => all.as(all.ofAll).removeEditor(all.ada.email), removed],
    ] as const) {
      const all = await people()
      const works = await give(all)
      assert.equal(await works(), true)
      await change(all)
      assert.equal(await works(), expected, String(change))
    }
  })
}
