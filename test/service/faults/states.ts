import assert from 'node:assert/strict'
import {eventually, SOON} from '../../support/eventually.ts'
import {MAX_STALE, type Stand} from './stand.ts'

/** What a service has of a site when the fault begins, and what a visitor receives then. */
export type State = {
  /** Brings the service into this state. Returns the body that a visitor received before, if any. */
  prepare(stand: Stand): Promise<string | undefined>
  sees: 'the last known good config' | 404 | 500
  /** Minimum seconds since the lake confirmed it. */
  age?: number
  /** On whose behalf the lake is queried. */
  askedFor: 'no one' | 'the visitor' | 'the change'
  /** Restarts the service during the fault, over the snapshots of the previous one. */
  isRestarted?: true
  /** What a visitor receives after the fault. By default the newest config. */
  afterwards?: 404
}

function asked(secondsAgo: number, isMuted = secondsAgo > 0): State['prepare'] {
  return async (stand) => {
    const response = await stand.config()
    assert.equal(response.status, 200)
    // A sign of life from now on would make the config younger: the lake also has the sites of other tests.
    if (isMuted) await stand.mute()
    stand.pass(secondsAgo)
    return response.text()
  }
}

/** Deletes the site after a visit, and lets some seconds pass. */
function deleted(secondsAgo: number): State['prepare'] {
  return async (stand) => {
    await asked(0)(stand)
    await stand.deleteSite()
    await eventually(async () => (await stand.config()).status, 404, SOON)
    stand.pass(secondsAgo)
    return undefined
  }
}

const lastGood = {sees: 'the last known good config', askedFor: 'the visitor'} as const

export const states: Record<string, State> = {
  'requested a moment ago': {...lastGood, prepare: asked(0), age: 0, askedFor: 'no one'},
  'confirmed 20 seconds ago': {...lastGood, prepare: asked(20), age: 20, askedFor: 'no one'},
  'confirmed two minutes ago': {...lastGood, prepare: asked(120), age: 120},
  'confirmed an hour ago': {...lastGood, prepare: asked(3_600), age: 3_600},
  'changed during the fault': {...lastGood, prepare: asked(5, false), askedFor: 'the change'},
  'confirmed longer ago than MAX_STALE_SECONDS': {
    prepare: asked(MAX_STALE + 1),
    sees: 500,
    askedFor: 'the visitor',
  },
  'never requested': {prepare: async () => undefined, sees: 500, askedFor: 'the visitor'},
  'known from a snapshot': {...lastGood, prepare: asked(1_000), age: 1_000, isRestarted: true},
  'known from a snapshot older than MAX_STALE_SECONDS': {
    prepare: asked(MAX_STALE + 1),
    sees: 500,
    askedFor: 'the visitor',
    isRestarted: true,
  },
  'known to be deleted': {
    prepare: deleted(120),
    sees: 404,
    askedFor: 'the visitor',
    afterwards: 404,
  },
  'deleted, with its snapshot': {
    prepare: deleted(0),
    sees: 500,
    askedFor: 'the visitor',
    isRestarted: true,
    afterwards: 404,
  },
}
