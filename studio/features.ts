import type {WorkspaceOptions} from 'sanity'

/**
 * Features that a lake does not support, switched off so that they do not fail: releases and schedules need
 * versions of documents, comments and tasks a second dataset, the media library and Canvas Sanity's own
 * services. They stay off with hosted Sanity too, so that migrating a site there and back changes nothing for
 * its editors.
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
