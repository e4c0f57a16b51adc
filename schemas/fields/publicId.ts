import {publishedIdOf} from '../documentId.ts'
import {field} from '../field.ts'
import type {Fields} from '../record.ts'
import {generatePublicId, parsePublicId} from '../rules/publicId.ts'
import {hasUniquePublicId, keepsPublicId} from '../unique.ts'

export const publicId = field({
  name: 'publicId',
  type: 'string',
  title: 'Public ID',
  description:
    'Identifies this site in the embed tag. It is not a secret. You cannot change it after the site is published.',
  isRequired: true,
  schema: {pattern: '^[A-Za-z0-9_-]{6,64}$'},
  form: {
    fieldset: 'more',
    initialValue: () => generatePublicId(),
    readOnly: ({document}) => isPublished(document),
  },
  parse: parsePublicId,
  checks: [hasUniquePublicId, keepsPublicId],
  isServed: true,
  decidesCode: true,
})

/** Whether the form shows the published document, and not a draft or a version. */
function isPublished(document: Fields | undefined): boolean {
  const id = document?._id
  return document?._rev !== undefined && typeof id === 'string' && publishedIdOf(id) === id
}
