import {createClient, type SanityClient} from '@sanity/client'
import {DATASET_VARIABLES, datasetSettings} from '../../common/datasetSettings.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {readServiceToken} from '../../common/serviceToken.ts'
import {readSettings} from '../../common/settings.ts'
import {CommandError, type Console} from '../command.ts'
import {parseLines} from './ndjson.ts'
import {ApiError, type OnRetry, withRetries} from './retry.ts'

const API_VERSION = '2025-02-19'

/** Timeout of a request, and between two parts of a response, in milliseconds. */
const TIMEOUT = 60_000

/** A dataset of hosted Sanity or of a lake. */
export type Dataset = {
  readonly client: SanityClient
  /** Such as `project abc123, dataset production`. */
  readonly label: string
  readonly onRetry: OnRetry
}

/** The options that name a dataset, and their help. */
export const DATASET_OPTIONS = {project: {type: 'string'}, dataset: {type: 'string'}} as const
export const DATASET_HELP = `\
  --project ID          instead of SANITY_PROJECT_ID
  --dataset NAME        instead of SANITY_DATASET`

/** What `dataset` stands for in the help of a command. */
export const DATASET_PLACE = `\
  dataset               a dataset of hosted Sanity or of a lake, found by the same environment variables as the
                        service's: SANITY_PROJECT_ID, SANITY_DATASET, SANITY_API_HOST, SANITY_API_TOKEN`

/** What the command line says instead of the environment. */
type DatasetFlags = {readonly project?: string | undefined; readonly dataset?: string | undefined}

/**
 * Prepares access to the dataset that the service would use with the same environment.
 * @throws CommandError that names the invalid variable or the unusable token file
 */
export async function openDataset(
  flags: DatasetFlags,
  {environment, error: report, wait}: Console,
): Promise<Dataset> {
  const {projectId, dataset, apiHost, token} = await readTarget(flags, environment).catch(
    (error: unknown) => {
      throw new CommandError(errorMessage(error))
    },
  )
  const client = createClient({
    projectId,
    dataset,
    apiVersion: API_VERSION,
    useCdn: false,
    requestTagPrefix: 'handrail',
    maxRetries: 0,
    timeout: TIMEOUT,
    ...(token === undefined ? {} : {token, ignoreBrowserTokenWarning: true}),
    ...(apiHost === undefined ? {} : {apiHost, useProjectHostname: false}),
  })
  const place = apiHost === undefined ? '' : ` at ${apiHost}`
  const onRetry: OnRetry = (message, milliseconds) => {
    report(`${message}\n`)
    return wait(milliseconds)
  }
  return {client, label: `project ${projectId}, dataset ${dataset}${place}`, onRetry}
}

async function readTarget({project, dataset}: DatasetFlags, environment: NodeJS.ProcessEnv) {
  const given = {
    ...environment,
    ...(project !== undefined && {SANITY_PROJECT_ID: project}),
    ...(dataset !== undefined && {SANITY_DATASET: dataset}),
  }
  const settings = datasetSettings(readSettings(given, DATASET_VARIABLES))
  const {apiToken, serviceTokenFile} = settings
  const token = apiToken ?? (serviceTokenFile && (await readServiceToken(serviceTokenFile)))
  return {...settings, token}
}

/**
 * Every document that the token may read, drafts included. The stream is of one moment.
 * https://www.sanity.io/docs/http-reference/export
 * @throws CommandError
 */
export async function* readDataset({client, label, onRetry}: Dataset): AsyncGenerator<JsonObject> {
  const {dataset, token} = client.config()
  const url = client.getUrl(`/data/export/${dataset}`)
  const headers: Record<string, string> = token === undefined ? {} : {authorization: `Bearer ${token}`}
  const {body, idle} = await withRetries(label, onRetry, async () => {
    const timeout = new IdleTimeout()
    try {
      const answer = await fetch(url, {headers, redirect: 'error', signal: timeout.signal})
      if (answer.ok && answer.body !== null) return {body: answer.body, idle: timeout}
      throw new ApiError(answer.status, await answer.text(), answer.headers.get('retry-after'))
    } catch (error) {
      timeout.stop()
      throw error
    }
  })
  try {
    for await (const line of parseLines(body, `the export of ${label}`)) {
      idle.restart()
      if (line._id === undefined && 'error' in line)
        throw new CommandError(`${label} stopped the export: ${reasonIn(line)}`)
      yield line
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${label}: the export was cut off (${errorMessage(error)}). Run the command again`)
  } finally {
    idle.stop()
  }
}

/** Aborts a request when nothing has happened for {@link TIMEOUT}. */
class IdleTimeout {
  readonly #controller = new AbortController()
  readonly #timer = setTimeout(() => {
    this.#controller.abort(new Error(`no data for ${TIMEOUT / 1000} seconds`))
  }, TIMEOUT)

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

function reasonIn({error, message}: JsonObject): string {
  const description = isJsonObject(error) ? (error.description ?? error.message) : error
  return [description, message].filter((part) => typeof part === 'string').join(': ')
}
