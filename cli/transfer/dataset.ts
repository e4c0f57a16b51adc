import {DATASET_VARIABLES, datasetSettings} from '../../common/datasetSettings.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {readServiceToken} from '../../common/serviceToken.ts'
import {readSettings} from '../../common/settings.ts'
import {CommandError, type Console} from '../command.ts'
import {RefusedError, reasonIn, send, withRetries} from '../request.ts'
import {parseLines} from './ndjson.ts'

const API_VERSION = '2025-02-19'

/** A dataset of hosted Sanity or of a lake. */
export type Dataset = {
  readonly name: string
  /** Such as `https://abc123.api.sanity.io/v2025-02-19`. */
  readonly address: string
  readonly token: string | undefined
  /** Such as `project abc123, dataset production`. */
  readonly label: string
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
  {project, dataset}: DatasetFlags,
  {environment}: Console,
): Promise<Dataset> {
  const given = {
    ...environment,
    ...(project !== undefined && {SANITY_PROJECT_ID: project}),
    ...(dataset !== undefined && {SANITY_DATASET: dataset}),
  }
  try {
    const settings = datasetSettings(readSettings(given, DATASET_VARIABLES))
    const {projectId, dataset: name, apiHost, apiToken, serviceTokenFile} = settings
    return {
      name,
      address: `${apiHost ?? `https://${projectId}.api.sanity.io`}/v${API_VERSION}`,
      token: apiToken ?? (serviceTokenFile && (await readServiceToken(serviceTokenFile))),
      label: `project ${projectId}, dataset ${name}${apiHost === undefined ? '' : ` at ${apiHost}`}`,
    }
  } catch (error) {
    throw new CommandError(errorMessage(error))
  }
}

/**
 * Sends a request that may be repeated to a dataset.
 * @param path such as `data/export/production`
 * @throws CommandError
 */
export async function askDataset(
  {address, token, label}: Dataset,
  path: string,
  init: RequestInit,
  console: Console,
): Promise<Response> {
  try {
    return await withRetries(label, console, () => send(`${address}/${path}`, token, init))
  } catch (error) {
    const isForbidden = error instanceof RefusedError && [401, 403].includes(error.status)
    const remedy = isForbidden
      ? '. Set SANITY_API_TOKEN to a token that may read the dataset, or write to it for an export'
      : ''
    throw new CommandError(`${label}: ${errorMessage(error)}${remedy}`)
  }
}

/**
 * Every document that the token may read, drafts included. The stream is of one moment.
 * https://www.sanity.io/docs/http-reference/export
 * @throws CommandError
 */
export async function* readDataset(dataset: Dataset, console: Console): AsyncGenerator<JsonObject> {
  const {label, name} = dataset
  const {body} = await askDataset(dataset, `data/export/${name}`, {}, console)
  try {
    for await (const line of parseLines(body ?? [], `the export of ${label}`)) {
      if (line._id === undefined && 'error' in line)
        throw new CommandError(`${label} stopped the export: ${reasonIn(line)}`)
      yield line
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${label}: the export was cut off (${errorMessage(error)}). Run the command again`)
  }
}
