import type {WorkspaceOptions} from 'sanity'

/**
 * What a lake does not offer, switched off instead of failing: releases and schedules need versions of documents,
 * comments and tasks a second dataset, the media library and Canvas Sanity's own services. On Sanity's own API they
 * stay off as well, so that moving a site there and back changes nothing for its editors.
 */
export const FEATURES = {
  releases: {enabled: false},
  scheduledDrafts: {enabled: false},
  scheduledPublishing: {enabled: false},
  tasks: {enabled: false},
  mediaLibrary: {enabled: false},
  apps: {canvas: {enabled: false}},
  announcements: {enabled: false},
  document: {comments: {enabled: false}, askToEdit: {enabled: false}},
} satisfies Partial<WorkspaceOptions>
