import {execFile} from 'node:child_process'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'

const run = promisify(execFile)

/** Any document as it stands in a file of a content repository. */
export type ContentDocument = {_id: string; _type: string; [field: string]: unknown}

/** A real Git repository of documents in a folder of its own. */
export type ContentRepository = {
  dir: string
  git(...args: string[]): Promise<string>
  /** Writes documents and commits them. */
  commit(documents: ContentDocument[], message?: string): Promise<void>
  /** Deletes documents and commits that. */
  remove(documents: Pick<ContentDocument, '_id' | '_type'>[]): Promise<void>
  dispose(): Promise<void>
}

/** A new repository in a temporary folder, with these documents as its first commit. */
export async function createContentRepository(documents: ContentDocument[] = []): Promise<ContentRepository> {
  const repository = contentRepositoryAt(await mkdtemp(join(tmpdir(), 'handrail-content-')))
  await repository.git('init', '--quiet', '--initial-branch=main')
  if (documents.length > 0) await repository.commit(documents)
  return repository
}

/** The repository that is at a folder already. */
export function contentRepositoryAt(dir: string): ContentRepository {
  const git = async (...args: string[]) =>
    (await run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {cwd: dir}))
      .stdout
  const fileOf = ({_type, _id}: Pick<ContentDocument, '_id' | '_type'>) => join(dir, _type, `${_id}.json`)

  const repository: ContentRepository = {
    dir,
    git,
    async commit(changed, message = 'Change content') {
      for (const document of changed) {
        const file = fileOf(document)
        await mkdir(dirname(file), {recursive: true})
        await writeFile(file, `${JSON.stringify(document, null, 2)}\n`)
      }
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '--message', message)
    },
    async remove(gone) {
      for (const document of gone) await rm(fileOf(document))
      await git('add', '--all')
      await git('commit', '--quiet', '--message', 'Delete content')
    },
    dispose: () => rm(dir, {recursive: true, force: true}),
  }
  return repository
}
