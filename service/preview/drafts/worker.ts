import {parentPort, workerData} from 'node:worker_threads'
import {BusyError, SiteError, UpstreamError} from '../../errors.ts'
import {createUpstreamClient} from '../../upstream/client.ts'
import {reasonOf} from '../../upstream/upstreamFailure.ts'
import {
  BEAT_EVERY,
  type DraftsAnswer,
  type DraftsQuestion,
  type DraftsRequest,
  type DraftsResponse,
  type DraftsWorkerData,
} from './messages.ts'
import {PreviewedSites} from './previewedSites.ts'

// Loaded in a worker thread by `thread.ts`.
const {settings, maxSiteBytes}: DraftsWorkerData = workerData
// The service logs problems with its token already.
const sites = new PreviewedSites(createUpstreamClient(settings), maxSiteBytes)

parentPort?.on('message', async ({number, question}: DraftsRequest) => {
  const answer = await answerTo(question).catch(failureOf)
  parentPort?.postMessage({number, answer} satisfies DraftsResponse)
})
setInterval(() => parentPort?.postMessage('beat'), BEAT_EVERY)

async function answerTo(question: DraftsQuestion): Promise<DraftsAnswer> {
  const site = sites.get(question)
  if (question.kind === 'module') {
    const module = await site.module(question.script)
    return module === undefined ? {} : {module}
  }
  const report = await site.report(question.path)
  return report === undefined ? {} : {report}
}

/** Messages of a SiteError are ours, those of other errors may be of upstream. */
function failureOf(error: unknown): DraftsAnswer {
  const isBusy = error instanceof BusyError
  const reason = reasonOf(error)
  if (isBusy || !(error instanceof UpstreamError)) return {failure: {reason, isBusy}}
  return {failure: {reason, isBusy, shown: error instanceof SiteError ? error.message : NOT_RETURNED}}
}

const NOT_RETURNED = 'The content lake does not return its documents. The log of the service says why.'
