import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {test} from 'node:test'
import {everywhere, type Rights} from '../lake/access/rights/rights.ts'
import {previewSourceOf, REPORTS_OWNER} from '../schemas/preview.ts'
import {REVIEW_RULES} from '../schemas/review.ts'
import {SITE_RULES} from '../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../schemas/unique.ts'
import {add, release} from './lake/releases/releaseActions.ts'
import {runLake} from './lake/support/lake.ts'
import {mutate} from './lake/support/mutate.ts'
import {accountsIn, signInByLink} from './lake/support/signIn.ts'

/**
 * What each person can make visitors' browsers run, also by scheduling a release, read of drafts, of previews of releases, of the
 * counts of a site and of people, stop, and do to the releases of a site, archived ones included. In the lake, real requests say so.
 */
type Can = Record<
  'run' | 'schedule' | 'releases' | 'drafts' | 'previews' | 'counts' | 'people' | 'stop',
  boolean
>
const NOTHING: Can = {
  run: false,
  schedule: false,
  releases: false,
  drafts: false,
  previews: false,
  counts: false,
  people: false,
  stop: false,
}
const READS = {...NOTHING, drafts: true, previews: true, counts: true}
const PUBLISHES = {...READS, run: true, schedule: true, releases: true, stop: true}

const IN_THE_LAKE: [person: string, rights: Rights | undefined, can: Can][] = [
  ['a stranger', undefined, NOTHING],
  ['a viewer', everywhere('viewer'), READS],
  ['an author', everywhere('author'), {...READS, releases: true}],
  ['a publisher of another site', [{role: 'publisher', sites: ['other']}], READS],
  ['a publisher of the site', [{role: 'publisher', sites: ['shop']}], PUBLISHES],
  ['an administrator of the site', [{role: 'administrator', sites: ['shop']}], {...PUBLISHES, people: true}],
  ['a reporter', everywhere('reporter'), NOTHING],
]

const reference = {_type: 'reference', _ref: 'shop'}
const FILES = {
  'site/shop.json': {_id: 'shop', _type: 'site', publicId: 'shop-0001-site'},
  'site/other.json': {_id: 'other', _type: 'site', publicId: 'other-0001-site'},
  'tool/pay.json': {_id: 'pay', _type: 'tool', name: 'pay', enabled: true, site: reference},
}

test('what people and programs can do to visitors, and read, in a lake', async (t) => {
  const lake = await runLake(t, FILES, {
    siteRules: SITE_RULES,
    uniqueRules: UNIQUE_RULES,
    reviewRules: REVIEW_RULES,
  })
  const source = previewSourceOf('shop-0001-site')
  const secret = {_type: 'sanity.previewUrlSecret', source, secret: 'x'.repeat(32), userId: REPORTS_OWNER}
  await mutate(lake.address, [
    {create: {...FILES['tool/pay.json'], _id: 'drafts.pay', title: 'Draft'}},
    {create: {...secret, _id: 'drafts.reports', code: 'y'.repeat(32)}},
  ])
  for (const name of ['open', 'shelved'])
    await lake.client.request({
      method: 'POST',
      url: '/data/actions/production',
      body: {actions: [release('create', name), add('pay', 'shop', {title: 'Released'}, name)]},
    })
  await lake.client.releases.archive({releaseId: 'shelved'})
  const accounts = accountsIn(lake.stateFolder)
  for (const [person, rights, can] of IN_THE_LAKE) {
    const isReporter = rights?.some(({role}) => role === 'reporter')
    const authorization =
      rights === undefined ? undefined : `Bearer ${await accounts.tokens.add(person, rights)}`
    const email = `${person.replaceAll(' ', '-')}@example.com`
    const cookie =
      rights === undefined || isReporter
        ? undefined
        : await signInByLink(lake, (await accounts.addEditor({name: person, email, rights})).id)
    const as = {...(cookie ? {cookie, origin: lake.address} : authorization && {authorization})}
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${lake.address}/v2025-02-19${path}`, {
        ...init,
        headers: {...as, 'content-type': 'application/json'},
      })
    const changes = async (set: object) => {
      const body = JSON.stringify({mutations: [{patch: {id: 'pay', set}}]})
      return (await send('/data/mutate/production?dryRun=true', {method: 'POST', body})).status === 200
    }
    const acts = async (...actions: object[]) => {
      const body = JSON.stringify({actions, dryRun: true})
      return (await send('/data/actions/production', {method: 'POST', body})).status === 200
    }
    const metadata = {title: 'Renamed'}
    const ofReleases = await Promise.all([
      acts(release('edit', 'open', {patch: {set: {metadata}}})),
      acts(release('import', 'open', {document: {metadata}, ifExists: 'replace'})),
      acts(release('archive', 'open')),
      acts(release('unarchive', 'shelved')),
      acts(release('delete', 'shelved')),
    ])
    assert.equal(new Set(ofReleases).size, 1, `${person}: ${ofReleases}`)
    const finds = async (query: string) => {
      const response = await send(`/data/query/production?query=${encodeURIComponent(query)}&perspective=raw`)
      return response.status === 200 && (await response.text()).includes('"result":"')
    }
    const found: Can = {
      run: await changes({executeJs: 'return 1'}),
      schedule: await acts(release('schedule', 'open', {publishAt: '2126-01-01T00:00:00Z'})),
      releases: ofReleases.every(Boolean),
      stop: await changes({enabled: false}),
      drafts: await finds('*[_id == "drafts.pay"][0].title'),
      previews: await finds('*[_id == "versions.open.pay"][0].title'),
      counts: await finds(`*[userId == "${REPORTS_OWNER}"][0].code`),
      people: (await send('/access/people')).status === 200,
    }
    assert.deepEqual(found, can, person)
  }
})

/** A test that proves it, or the reason. */
type Why = {readonly test: string; readonly title: string} | {readonly reason: string}

const OUTSIDE_OF_THE_LAKE: Readonly<Record<string, Readonly<Record<keyof Can, Why>>>> = {
  'a script of the page': {
    run: {reason: 'It runs there already, and may register tools of its own.'},
    schedule: {reason: 'The lake allows its own origin only.'},
    releases: {reason: 'The lake allows its own origin only.'},
    drafts: {test: 'service/preview/refusals.test.ts', title: 'begins once with each link'},
    previews: {test: 'service/preview/refusals.test.ts', title: 'begins once with each link'},
    counts: {test: 'service/visits/route.test.ts', title: 'need the code of a valid secret of the site'},
    people: {reason: 'The lake allows its own origin only, and sessions of Studio are not on the website.'},
    stop: {reason: 'It may remove the tag or abort the registrations of its own page.'},
  },
  'an agent': {
    run: {
      test: 'snippet/ask/questions.browser.test.ts',
      title: 'an agent cannot move, hide or imitate an argument',
    },
    schedule: {reason: 'It has no tool of Studio, and no session.'},
    releases: {reason: 'It has no tool of Studio, and no session.'},
    drafts: {reason: 'It calls what is registered in the tab: drafts only where a person opened a preview.'},
    previews: {reason: 'It calls what is registered in the tab, as for drafts.'},
    counts: {reason: 'Counts are in no page, and need a code of the content.'},
    people: {reason: 'No answer for pages has a person.'},
    stop: {reason: 'It can only decline to call.'},
  },
  'who posts content or links on the website': {
    run: {
      test: 'studio/making/making.browser.test.ts',
      title: 'asks before it saves a tool that another website made',
    },
    schedule: {reason: 'Studio schedules after a click in its dialog, for who is signed in.'},
    releases: {reason: 'Studio acts after a click, for who is signed in.'},
    drafts: {
      test: 'panel/panel.browser.test.ts',
      title: 'drafts of somebody who may not publish ask',
    },
    previews: {test: 'service/preview/draftAuthors.test.ts', title: 'a version of a release by'},
    counts: {reason: 'No link has the code for reports.'},
    people: {reason: 'Studio asks who is signed in, and links carry no session.'},
    stop: {reason: 'Elements that clobber `document` take no tool away: page.ts reads prototypes.'},
  },
  'who writes the element with the tools into a page': {
    run: {
      test: 'snippet/inPage/configInPage.browser.test.ts',
      title: 'has the nonce of the tag, if that has one',
    },
    schedule: {reason: 'The element is for the snippet, which sends nothing to the lake.'},
    releases: {reason: 'The element is for the snippet, which sends nothing to the lake.'},
    drafts: {reason: 'The service puts what is published into it, and no element begins a preview.'},
    previews: {reason: 'The service puts what is published into it, and no element begins a preview.'},
    counts: {reason: 'Counts are in no page, and need a code of the content.'},
    people: {reason: 'No answer for pages has a person.'},
    stop: {reason: 'As what runs: only where the tag has no nonce (docs/in-the-html.md).'},
  },
  'who may push to the content repository': {
    run: {reason: 'A commit publishes: protect the branch at the Git host (docs/review.md).'},
    schedule: {reason: 'The time of a release is in the database, and in no commit.'},
    releases: {
      test: 'lake/releases/releaseBranch.test.ts',
      title: 'a merge at the host ends the release as published',
    },
    drafts: {reason: 'Drafts are in no branch, but for review branches, which docs/review.md says.'},
    previews: {reason: 'Versions are in no branch, but for review branches, which docs/review.md says.'},
    counts: {reason: 'Counts are at the service, and secrets for reading them are drafts.'},
    people: {reason: 'People are in the database, and in no commit but as authors.'},
    stop: {test: 'lake/readiness.test.ts', title: 'a served document that a commit broke is reported'},
  },
  'who opens a pull request': {
    run: {
      reason:
        'Nothing of it is served before it is merged. CI runs its scripts on staging (docs/content-ci.md).',
    },
    schedule: {reason: 'CI has no token that writes.'},
    releases: {reason: 'CI has no token that writes.'},
    drafts: {reason: 'CI has the files of the branch, and no token of the lake that reads.'},
    previews: {reason: 'CI has the files of the branch, and no token of the lake that reads.'},
    counts: {reason: 'CI has no secret for reports.'},
    people: {reason: 'The reporter’s token of CI reads nothing, as above.'},
    stop: {
      reason: 'Nothing that a commit says changes who may publish: a merge of it is a push like others.',
    },
  },
}

test('what others can do has a test of that name, or a reason', () => {
  for (const [person, cells] of Object.entries(OUTSIDE_OF_THE_LAKE)) {
    for (const [what, why] of Object.entries(cells)) {
      if ('reason' in why) continue
      const file = new URL(why.test, import.meta.url)
      assert.ok(existsSync(file), `${person}, ${what}: ${why.test}`)
      assert.ok(readFileSync(file, 'utf8').includes(why.title), `${person}, ${what}: ${why.title}`)
    }
  }
})
