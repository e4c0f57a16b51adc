import {join} from 'node:path'
import {isJsonObject} from '../../../common/json.ts'
import {type ImportLogger, importFile} from '../../../content/state/importFile.ts'
import type {State} from '../../../content/state/state.ts'

/**
 * Takes over up to where webhooks were told of everything, from the files of version 0.1.
 * @param folder where these files are
 * @throws Error with one line
 */
export async function importCursors(
  state: State,
  folder: string,
  options: {readonly renames: boolean; readonly logger: ImportLogger},
): Promise<void> {
  for (const [file, kind] of [
    ['webhooks.json', 'changes'],
    ['reviewWebhooks.json', 'reviews'],
  ] as const)
    await importFile(state, join(folder, file), {
      ...options,
      read: (content) => {
        const value: unknown = JSON.parse(content.toString('utf8'))
        return () => {
          for (const [hook, cursor] of Object.entries(isJsonObject(value) ? value : {}))
            state.run('INSERT INTO webhook_cursor VALUES (?, ?, ?)', kind, hook, String(cursor))
        }
      },
    })
}
