import type {FastifyBaseLogger} from 'fastify'
import {Mutex} from '../../../common/mutex.ts'
import {CheckoutSync} from '../checkout/checkoutSync.ts'
import {restoreTakenBack, type TakenBack} from '../checkout/staleCommit.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {ContentRules} from '../contentRules.ts'
import {HeadMovedError, PublishError, publishError, UnfitNameError} from '../errors.ts'
import {type Author, commitBody, fitAuthor, HANDRAIL} from '../objects/commitObject.ts'
import {
  type GitObject,
  gitObject,
  LooseObjectWriter,
  type ObjectFormat,
  zeroId,
} from '../objects/looseObjects.ts'
import {git} from '../process.ts'
import {Maintenance} from './maintenance.ts'
import {blobsOf, type CommitResult, checkPublication, type Move, type Publication} from './publication.ts'
import {TreeBuilder} from './treeBuilder.ts'
import {moveHead, requireBranch} from './updateRef.ts'

export type PublisherParts = {
  readonly folder: ContentDirectory
  readonly rules: ContentRules
  readonly logger: FastifyBaseLogger
  /** Called before HEAD is moved: whether this process still holds the repository lock. Default: it does. */
  readonly mayWrite?: () => Promise<boolean>
}

type Tools = {
  readonly format: ObjectFormat
  readonly trees: TreeBuilder
  readonly workTree: CheckoutSync
  readonly committer: Author
}

/**
 * Makes commits. Each publication is committed as a whole or not at all. The content comes from the
 * publication alone, never from the work tree or the index; both are updated afterwards.
 */
export class Publisher {
  readonly #folder: ContentDirectory
  readonly #rules: ContentRules
  readonly #logger: FastifyBaseLogger
  readonly #mayWrite: () => Promise<boolean>
  readonly #objects: LooseObjectWriter
  readonly #housekeeping: Maintenance
  #tools: Promise<Tools> | undefined
  readonly #mutex = new Mutex()

  constructor({folder, rules, logger, mayWrite = async () => true}: PublisherParts) {
    this.#folder = folder
    this.#rules = rules
    this.#logger = logger
    this.#mayWrite = mayWrite
    this.#objects = new LooseObjectWriter(folder.commonDir)
    this.#housekeeping = new Maintenance(folder.root, logger)
  }

  /**
   * Finishes updates of index and work tree that a crash interrupted. Call it once, before the first
   * publication.
   * @throws PublishError if the repository cannot be read
   */
  async recover(): Promise<void> {
    const {workTree} = await this.#open()
    await workTree.recover()
  }

  /**
   * Commits a publication on top of `parent` (undefined: the branch has no commit yet) and moves HEAD and its
   * branch to it. Durable once the promise resolves. Creates a commit even if nothing changed. If it throws,
   * nothing was changed.
   * @throws HeadMovedError if HEAD is not at `parent`
   * @throws PublishingPausedError while HEAD is on no branch
   * @throws UnfitNameError if a new file cannot have its name
   * @throws PublishError if the commit cannot be written
   */
  publish(parent: string | undefined, publication: Publication): Promise<CommitResult> {
    return this.#mutex.run(() => this.#publish(parent, publication))
  }

  /**
   * Writes the commit that {@link publish} would make, without moving anything to it.
   * @returns its id
   * @throws UnfitNameError if a new file cannot have its name
   * @throws PublishError if the commit cannot be written
   */
  propose(parent: string | undefined, publication: Publication): Promise<string> {
    return this.#mutex.run(async () => {
      checkPublication(publication)
      const {blobs, objects} = blobsOf((await this.#open()).format, publication.files)
      const {commit, written} = await this.#write(parent, publication, blobs, objects)
      const bytes = await written.catch((error: unknown) => {
        throw publishError(error)
      })
      this.#housekeeping.wrote(bytes)
      return commit
    })
  }

  /**
   * Moves HEAD to an existing commit; index and work tree are updated in the background.
   * @throws HeadMovedError
   * @throws PublishError
   */
  move(move: Move): Promise<void> {
    return this.#mutex.run(async () => {
      await requireBranch(this.#folder)
      await this.#move(await this.#open(), move, Promise.resolve())
    })
  }

  /**
   * The committer: the name configured in the repository, or Handrail.
   * @throws PublishError if the repository cannot be read
   */
  async committer(): Promise<Author> {
    return (await this.#open()).committer
  }

  /**
   * Publishes again what was reverted by a commit made from an index older than HEAD. Call it before others
   * see a commit that the lake has not made.
   * @returns whether HEAD was moved for it
   */
  async restoreTakenBack(): Promise<boolean> {
    const tools = await this.#tools?.catch(() => undefined)
    return (await tools?.workTree.restoreTakenBack()) ?? false
  }

  /** Waits until index and work tree are up to date with what was published. */
  async settled(): Promise<void> {
    await this.#mutex.idle()
    const tools = await this.#tools?.catch(() => undefined)
    await tools?.workTree.settled()
  }

  /** Waits for the background work of publications. */
  async close(): Promise<void> {
    await this.settled()
    const tools = await this.#tools?.catch(() => undefined)
    await tools?.workTree.close()
    await this.#housekeeping.close()
  }

  async #publish(parent: string | undefined, publication: Publication): Promise<CommitResult> {
    checkPublication(publication)
    await requireBranch(this.#folder)
    const {blobs, objects} = blobsOf((await this.#open()).format, publication.files)
    return this.#commit(parent, publication, blobs, objects)
  }

  /** @param objects that are not in the repository yet */
  async #commit(
    parent: string | undefined,
    text: Omit<Publication, 'files'>,
    blobs: ReadonlyMap<string, string | undefined>,
    objects: readonly GitObject[],
  ): Promise<CommitResult> {
    const tools = await this.#open()
    const {commit, author, changed, written} = await this.#write(parent, text, blobs, objects)
    const {message, seconds} = text
    const reason = `handrail: ${message.split('\n')[0]}`
    const {before, after} = changed
    await this.#move(tools, {from: parent, to: commit, before, after, reason}, written)
    tools.trees.keep(commit, changed.kept)
    this.#housekeeping.wrote(await written)
    const differ = [...blobs].filter(([path, blob]) => before.get(path)?.id !== blob).map(([path]) => path)
    return {
      commit,
      parent,
      author,
      seconds,
      blobs,
      added: differ.filter((path) => !before.has(path)),
      modified: differ.filter((path) => before.has(path)),
    }
  }

  /** Begins to write a commit. No ref may name it before `written` resolves. */
  async #write(
    parent: string | undefined,
    {author: givenAuthor, message, seconds}: Omit<Publication, 'files'>,
    blobs: ReadonlyMap<string, string | undefined>,
    objects: readonly GitObject[],
  ) {
    const {format, trees, committer} = await this.#open()
    const changed = await trees.change(parent, blobs).catch((error: unknown) => {
      throw error instanceof UnfitNameError ? error : publishError(error)
    })
    const author = fitAuthor(givenAuthor)
    const parents = parent === undefined ? [] : [parent]
    const text = {tree: changed.root.id, parents, author, committer, seconds, message}
    const commit = gitObject(format, 'commit', [commitBody(text)])
    const written = this.#objects.write([...objects, ...changed.folders, changed.root, commit])
    return {commit: commit.id, author, changed, written}
  }

  /** Publishes again what was reverted by commits made from an index older than HEAD. */
  #restore(taken: ReadonlyMap<string, TakenBack>): Promise<void> {
    return this.#mutex.run(() =>
      restoreTakenBack(this.#folder.root, taken, this.#logger, async (head, blobs, message) => {
        const seconds = Math.floor(Date.now() / 1000)
        await this.#commit(head, {author: HANDRAIL, message, seconds}, blobs, [])
      }),
    )
  }

  /** @param ready writes that must end before HEAD moves */
  async #move(tools: Tools, {from, to, before, after, reason}: Move, ready: Promise<unknown>): Promise<void> {
    const {format, workTree, committer} = tools
    const moveIt = async () => {
      // Checked at the last moment.
      if (!(await this.#mayWrite())) {
        throw new PublishError(
          'this process does not hold the lock of the content repository and cannot write to it',
        )
      }
      await moveHead(this.#folder, {from: from ?? zeroId(format), to, reason, committer})
    }
    try {
      await workTree.move(from, to, before, after, ready, moveIt)
    } catch (error) {
      throw error instanceof HeadMovedError || error instanceof PublishError ? error : publishError(error)
    }
  }

  /** Asks Git once for the settings that do not change. */
  #open(): Promise<Tools> {
    this.#tools ??= this.#readTools().catch((error: unknown) => {
      this.#tools = undefined
      throw publishError(error)
    })
    return this.#tools
  }

  async #readTools(): Promise<Tools> {
    const {root} = this.#folder
    const [answer, name, email] = await Promise.all([
      git(root, ['rev-parse', '--show-object-format']),
      localSetting(root, 'user.name'),
      localSetting(root, 'user.email'),
    ])
    const format = answer.trim() === 'sha256' ? 'sha256' : 'sha1'
    const committer = fitAuthor({name: name || HANDRAIL.name, email: email || HANDRAIL.email})
    return {
      format,
      committer,
      trees: new TreeBuilder(this.#folder, format),
      workTree: new CheckoutSync(this.#folder, format, this.#logger, this.#rules.isContentPath, (taken) =>
        this.#restore(taken),
      ),
    }
  }
}

/** Reads the repository's own setting. The global one belongs to the person who installed the lake. */
async function localSetting(root: string, name: string): Promise<string> {
  // Fails if the setting is missing.
  return (await git(root, ['config', '--local', '--get', name]).catch(() => '')).trim()
}
