import {schemaType} from '@sanity/preview-url-secret/constants'
import {previewSourceOf} from './preview.ts'

/**
 * Which documents a lake lets people change who have rights for named sites.
 *
 * A site document keeps its type and its public ID, and cannot be created: with the public ID of another site,
 * its tools would be on the pages of that one. The secrets of previews belong to the site that they show.
 */
export const SITE_RULES = {
  documentsOfSites: [
    '_type in ["tool", "formTool"] && site._ref in $sites',
    '_type == "site" && _id in $drafts',
    '_type == "site" && _id in $sites && publicId == *[_id == ^._id && _type == "site"][0].publicId',
    `_type == "${schemaType}" && _id in path("drafts.*")
      && source in *[_id in $sites && _type == "site"]{"source": "${previewSourceOf('')}" + publicId}.source`,
  ].join(' || '),
}
