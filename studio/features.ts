import type {WorkspaceOptions} from 'sanity'

/**
 * Features that a lake does not support, switched off so that they do not fail: comments and tasks need a second dataset,
 * the media library and Canvas Sanity's own services. They stay off with hosted Sanity too, so that migrating a site there and
 * back changes nothing for its editors. Releases and scheduled drafts are offered where the plan has them, as a lake does.
 */
export const FEATURES = {
  scheduledPublishing: {enabled: false},
  tasks: {enabled: false},
  mediaLibrary: {enabled: false},
  apps: {canvas: {enabled: false}},
  announcements: {enabled: false},
  document: {comments: {enabled: false}, askToEdit: {enabled: false}},
} satisfies Partial<WorkspaceOptions>
