import assert from 'node:assert/strict'
import {test} from 'node:test'
import {TimeSlices} from '../../../lake/write/timeSlices.ts'
import {actOnRelease} from '../../../lake/write/transaction/releases/actOnRelease.ts'
import type {ReleaseAction} from '../../../lake/write/transaction/releases/releaseAction.ts'
import {Workspace} from '../../../lake/write/transaction/workspace.ts'
import {storeOf} from '../support/documents.ts'

/** Counts how often a transaction may yield. */
class CountedSlices extends TimeSlices {
  turns = 0

  override async turn(): Promise<void> {
    this.turns += 1
  }
}

test('an action on a release can yield after each of its documents', async () => {
  const release = {_id: '_.releases.rA', _type: 'system.release', name: 'rA', metadata: {}}
  const versions = Array.from({length: 50}, (_, index) => ({_id: `versions.rA.tool-${index}`, _type: 'tool'}))
  const workspace = new Workspace(storeOf({...release, state: 'active'}, ...versions), new Map())
  const slices = new CountedSlices()
  const attempt = {
    workspace,
    slices,
    transactionId: 'transaction',
    now: '2026-01-01T00:00:00Z',
    by: {id: 'ada', name: 'Ada', email: '', rights: []},
    isDryRun: false,
    find: async () => [],
    siteOf: () => undefined,
    branchOf: async () => ({}),
  }
  const kinds = ['release.archive', 'release.unarchive', 'release.publish'] as const
  for (const kind of kinds) {
    slices.turns = 0
    const action: ReleaseAction = {kind, release: 'rA'}
    await actOnRelease(action, attempt)
    assert.ok(slices.turns > versions.length, `${kind}: ${slices.turns}`)
  }
})
