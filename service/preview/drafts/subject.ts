/** A site with its drafts, or with a release in place of them. */
export type Subject = {readonly publicId: string; readonly release?: string | undefined}
