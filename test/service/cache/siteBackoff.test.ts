import assert from 'node:assert/strict'
import {test} from 'node:test'
import {SiteBackoff} from '../../../service/cache/siteBackoff.ts'
import {SiteError, UpstreamError} from '../../../service/errors.ts'

test('a gap in live events ends the pause after an outage, and not that of a site that fails by itself', () => {
  const backoff = new SiteBackoff(() => 0)
  backoff.fail('broken', new SiteError('It is too large.'))
  backoff.fail('reachable again', new UpstreamError('No response.'))
  backoff.retryAll()
  assert.deepEqual(
    ['broken', 'reachable again'].map((publicId) => backoff.reason(publicId) !== undefined),
    [true, false],
  )
  backoff.retryNow('broken')
  assert.equal(backoff.reason('broken'), undefined)
})
