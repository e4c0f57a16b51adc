import {workerData} from 'node:worker_threads'
import type {DatasetSettings} from '../../../common/datasetSettings.ts'
import {SiteError} from '../../errors.ts'
import {createUpstreamClient} from '../../upstream/client.ts'
import {messagesIn} from '../../upstream/upstreamFailure.ts'
import {answerQuestions} from '../../workerThread.ts'
import type {ScriptName} from '../seals.ts'
import type {PageReport} from './pageReport.ts'
import {PreviewedSites, type Subject} from './previewedSites.ts'

/** What the thread gets when it starts. */
export type DraftsWorkerData = {
  readonly settings: DatasetSettings
  /** Limit for one site. */
  readonly maxSiteBytes: number
  /** Of a query, in milliseconds. */
  readonly timeout?: number | undefined
}

/** A question about a site with drafts applied: a page, or a script as a module. */
export type DraftsQuestion =
  | (Subject & {readonly kind: 'page'; readonly path: string})
  | (Subject & {readonly kind: 'module'; readonly script: ScriptName})

/** What the thread found. An empty answer: there is no such site or script. */
export type DraftsAnswer = {
  readonly report?: PageReport | undefined
  readonly module?: string | undefined
  /** Why there is no answer: for the log, and for those who see the preview. */
  readonly failure?: {readonly reason: string; readonly shown: string}
}

// Loaded in a worker thread by `previews.ts`.
const {settings, maxSiteBytes, timeout}: DraftsWorkerData = workerData
// The service logs problems with its token already.
const sites = new PreviewedSites(createUpstreamClient(settings), maxSiteBytes, undefined, timeout)

answerQuestions((question: DraftsQuestion) => answerTo(question).catch(failureOf))

async function answerTo(question: DraftsQuestion): Promise<DraftsAnswer> {
  return question.kind === 'module'
    ? {module: await sites.module(question, question.script)}
    : {report: await sites.report(question, question.path)}
}

/** Messages of a SiteError are ours, those of other errors may be of upstream. */
function failureOf(error: unknown): DraftsAnswer {
  return {
    failure: {reason: messagesIn(error), shown: error instanceof SiteError ? error.message : NOT_RETURNED},
  }
}

const NOT_RETURNED = 'The content lake does not return its documents. The log of the service says why.'
