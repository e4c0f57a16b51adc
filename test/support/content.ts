import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createRepository, testRepository} from '../lake/support/git.ts'

/** Any document as stored in a file of a content repository. */
export type ContentDocument = {_id: string; _type: string; [field: string]: unknown}

/** A real, bare Git repository of documents in its own folder. */
export type ContentRepository = {
  dir: string
  git(...args: string[]): Promise<string>
  /** Writes documents and commits them. */
  commit(documents: ContentDocument[]): Promise<void>
  /** The same for more documents than files can be open. */
  commitMany(documents: ContentDocument[]): Promise<void>
  /** Deletes documents and commits the deletion. */
  remove(documents: Pick<ContentDocument, '_id' | '_type'>[]): Promise<void>
  dispose(): Promise<void>
}

/**
 * A new repository in a temporary folder, with these documents as its first commit. Lakes and services keep their files
 * next to it, in the same folder.
 */
export async function createContentRepository(documents: ContentDocument[] = []): Promise<ContentRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-content-'))
  const repository = contentRepositoryAt(join(folder, 'content.git'))
  await createRepository(repository.dir)
  if (documents.length > 0) await repository.commit(documents)
  return {...repository, dispose: () => rm(folder, {recursive: true, force: true})}
}

/** The existing repository in a folder. */
export function contentRepositoryAt(dir: string): ContentRepository {
  const {git, commit, commitMany} = testRepository(dir)
  const pathOf = ({_type, _id}: Pick<ContentDocument, '_id' | '_type'>) => `${_type}/${_id}.json`
  const filesOf = (documents: ContentDocument[]) =>
    Object.fromEntries(documents.map((document) => [pathOf(document), document]))
  return {
    dir,
    git,
    async commit(documents) {
      await commit(filesOf(documents))
    },
    async commitMany(documents) {
      await commitMany(filesOf(documents))
    },
    async remove(documents) {
      await commit(Object.fromEntries(documents.map((document) => [pathOf(document), undefined])))
    },
    dispose: () => rm(dir, {recursive: true, force: true}),
  }
}
