import type {FastifyBaseLogger} from 'fastify'
import {Mutex} from '../../common/mutex.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {HeadMovedError, PublishError, publishError, UnfitNameError} from '../errors.ts'
import {type Author, commitBody, fitAuthor, HANDRAIL} from '../objects/commitObject.ts'
import {gitObject, LooseObjectWriter} from '../objects/looseObjects.ts'
import {git} from '../process.ts'
import {Maintenance} from './maintenance.ts'
import {
  type BranchMove,
  blobsOf,
  type CommitResult,
  checkPublication,
  type Publication,
} from './publication.ts'
import {TreeBuilder} from './treeBuilder.ts'
import {moveHead, removeStaleLocks} from './updateRef.ts'

type PublisherOptions = {
  /** A bare repository. */
  readonly folder: ContentDirectory
  readonly logger: FastifyBaseLogger
}

/**
 * Makes commits. Each publication is committed as a whole or not at all. A publication and a push are two
 * compare-and-swaps on one branch: the second one finds that the branch has moved.
 */
export class Publisher {
  readonly #folder: ContentDirectory
  readonly #logger: FastifyBaseLogger
  readonly #objects: LooseObjectWriter
  readonly #trees: TreeBuilder
  readonly #housekeeping: Maintenance
  #committer: Promise<Author> | undefined
  readonly #mutex = new Mutex()

  constructor({folder, logger}: PublisherOptions) {
    this.#folder = folder
    this.#logger = logger
    this.#objects = new LooseObjectWriter(folder.root)
    this.#trees = new TreeBuilder(folder)
    this.#housekeeping = new Maintenance(folder.root, logger)
  }

  /** Removes what a crash left that would block publications. Call it once, before the first one. */
  async recover(): Promise<void> {
    for (const lock of await removeStaleLocks(this.#folder))
      this.#logger.warn({lock}, 'removed a lock file that a crash left')
  }

  /**
   * Commits a publication on top of `parent` (undefined: the branch has no commit yet) and moves HEAD and its
   * branch to it. Durable once the promise resolves. Creates a commit even if nothing changed. If it throws,
   * nothing was changed.
   * @throws HeadMovedError if HEAD is not at `parent`
   * @throws UnfitNameError if a new file cannot have its name
   * @throws PublishError if the commit cannot be written, or HEAD is on no branch
   */
  publish(parent: string | undefined, publication: Publication): Promise<CommitResult> {
    return this.#mutex.run(async () => {
      const {blobs, commit, author, changed, written} = await this.#write(parent, publication)
      const {message, seconds} = publication
      await this.#move({from: parent, to: commit, reason: `handrail: ${message.split('\n')[0]}`}, written)
      this.#trees.keep(commit, changed.kept)
      this.#housekeeping.published()
      const paths = Array.from(blobs, ([path, after]) => ({
        path,
        before: changed.before.get(path)?.id,
        after,
      }))
      const changes = paths.filter(({before, after}) => before !== after)
      return {commit, parent, author, seconds, message, changes}
    })
  }

  /**
   * Writes the commit that {@link publish} would make, without moving anything to it.
   * @returns its id
   * @throws UnfitNameError if a new file cannot have its name
   * @throws PublishError if the commit cannot be written
   */
  propose(parent: string | undefined, publication: Publication): Promise<string> {
    return this.#mutex.run(async () => {
      const {commit, written} = await this.#write(parent, publication)
      await written.catch((error: unknown) => {
        throw publishError(error)
      })
      this.#housekeeping.published()
      return commit
    })
  }

  /**
   * Moves HEAD to an existing commit.
   * @throws HeadMovedError
   * @throws PublishError
   */
  move(move: BranchMove): Promise<void> {
    return this.#mutex.run(() => this.#move(move, Promise.resolve()))
  }

  /** The committer: the name configured in the repository, or Handrail. */
  committer(): Promise<Author> {
    this.#committer ??= readCommitter(this.#folder.root)
    return this.#committer
  }

  /** Waits for the publication that is being written, and ends the work in the background. */
  async close(): Promise<void> {
    await this.#mutex.idle()
    await this.#housekeeping.close()
  }

  /** Begins to write a commit. No ref may name it before `written` resolves. */
  async #write(parent: string | undefined, publication: Publication) {
    checkPublication(publication)
    const {author: givenAuthor, message, seconds, files} = publication
    const {format} = this.#folder
    const {blobs, objects} = blobsOf(format, files)
    const changed = await this.#trees.change(parent, blobs).catch((error: unknown) => {
      throw error instanceof UnfitNameError ? error : publishError(error)
    })
    const author = fitAuthor(givenAuthor)
    const parents = parent === undefined ? [] : [parent]
    const committer = await this.committer()
    const text = {tree: changed.root.id, parents, author, committer, seconds, message}
    const commit = gitObject(format, 'commit', [commitBody(text)])
    const written = this.#objects.write([...objects, ...changed.folders, changed.root, commit])
    return {commit: commit.id, blobs, author, changed, written}
  }

  /** @param ready writes that must end before HEAD moves */
  async #move(move: BranchMove, ready: Promise<unknown>): Promise<void> {
    try {
      await ready
      const committer = await this.committer()
      await moveHead(this.#folder, move, committer)
    } catch (error) {
      throw error instanceof HeadMovedError || error instanceof PublishError ? error : publishError(error)
    }
  }
}

/** Reads the repository's own settings. The global ones belong to the person who installed the lake. */
async function readCommitter(root: string): Promise<Author> {
  // Fails if there is none.
  const settings = await git(root, ['config', '--local', '--get-regexp', '^user\\.(name|email)$']).catch(
    () => '',
  )
  const settingOf = (name: string) => new RegExp(`^user\\.${name} (.*)$`, 'm').exec(settings)?.[1]?.trim()
  return fitAuthor({name: settingOf('name') || HANDRAIL.name, email: settingOf('email') || HANDRAIL.email})
}
