/** Where people can review a change at the Git host. */
export type ReviewBranch = {
  /** The branch of the remote that the lake pushes the change to. */
  readonly branch?: string
  /** The page of the host that compares it with the published content, if the host is known. */
  readonly comparePage?: string
}
