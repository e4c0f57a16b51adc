import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fingerprint} from '../../../studio/build/fingerprint.ts'
import {DEFAULT_SERVICE_ORIGIN} from '../../../studio/serviceOrigin.ts'
import {projectFile} from './files.ts'

/** The output of a build of Studio, without its content: a folder that says what it was built from. */
export async function bringStudio(root: string): Promise<void> {
  const folder = join(root, '.handrail/studio')
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'index.html'), '<html><head></head><body>A Studio</body></html>')
  const target = {projectId: 'local', dataset: 'production', apiHost: '/'}
  const built = await fingerprint(projectFile('.'), {...target, serviceOrigin: DEFAULT_SERVICE_ORIGIN})
  await writeFile(join(folder, '.fingerprint'), built)
}
