import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'

/** Which tools pages get. Set it in `use` of the configuration. */
export type ContentOptions = {
  /** The content repository. Default: the current directory. */
  readonly directory?: string
  /** The public ID of the site, if the repository has several. */
  readonly site?: string | undefined
  /** A commit or branch instead of the work tree. */
  readonly ref?: string | undefined
  /** As after this release of the lake. The environment has LAKE_API_TOKEN, a token that may read. */
  readonly release?: string | undefined
  /** The address of the lake, for `release`. */
  readonly lake?: string | undefined
  /** `published`: pages keep the tools that they get from the service. */
  readonly against?: string | undefined
}

/** The tools of a page, as an agent has them. */
export type Tools = {
  /** The names of what the page offers now. */
  names(): Promise<string[]>
  /**
   * Waits for a tool, and calls it.
   * @throws Error if the page does not offer it, with the cause, or the error that an agent gets
   */
  call(name: string, args?: object): Promise<unknown>
}

/** The `test` of Playwright, whose pages get the tools of a content repository. */
export type HandrailTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & {tools: Tools},
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & {content: ContentOptions}
>
