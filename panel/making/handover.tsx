import {useId, useState} from 'preact/hooks'
import {alikeOf} from '../../making/names.ts'
import {handoverLink, type MadeTool} from '../../making/studioLink.ts'
import {pagesFieldOf} from '../../schemas/documents.ts'
import {patternHere} from '../forms/thisPage.ts'
import {pagePath} from '../pagePath.ts'
import {StudioLink} from '../parts/studioLink.tsx'
import type {Words} from './list/proposals.ts'
import type {Whole} from './list/trials.ts'
import type {MakeProps} from './makeProps.ts'

type HandoverProps = MakeProps & {
  tool: Whole
  missing: string | undefined
  words: Words
  changeWords: (words: Words) => void
  /** Called once Studio has it. */
  handed: (draft: MadeTool, link: string) => void
}

/**
 * The name, the description and the pages of a tool, and the link that hands it to Studio. Of a tool that is in Studio
 * already, only the link.
 */
export function Handover({tool, panel, taken, words, changeWords: change, handed, ...props}: HandoverProps) {
  const {studio, wanted} = panel
  const formId = useId()
  const [suffix] = useState(randomSuffix)
  const [isHanded, setHanded] = useState(false)
  const {name, description, pages = patternHere(), fields} = tool
  if (!studio) return <NoStudio panel={panel} />
  const made = draftOf(tool, suffix, studio.siteId)
  const missing =
    props.missing ??
    (wanted
      ? undefined
      : !/^[\w.-]{1,128}$/.test(name)
        ? 'Write a name of letters and digits, without spaces.'
        : description.trim() === ''
          ? 'Describe what the tool does.'
          : undefined)
  const link = fields && !missing ? handoverLink(studio, 'tool', {...made, for: wanted?.key}) : undefined
  const action = wanted ? 'Fill in the tool' : 'Make this tool'
  return (
    <fieldset>
      <legend>The tool</legend>
      {!wanted && (
        <>
          <div class="field">
            <label for={`${formId}-name`}>Name</label>
            <input
              id={`${formId}-name`}
              value={name}
              spellcheck={false}
              autocomplete="off"
              onInput={({currentTarget}) => change({...words, name: currentTarget.value})}
            />
          </div>
          <div class="field">
            <label for={`${formId}-description`}>What it does</label>
            <textarea
              id={`${formId}-description`}
              rows={3}
              aria-describedby={`${formId}-hint`}
              value={description}
              onInput={({currentTarget}) => change({...words, description: currentTarget.value})}
            />
            <small class="hint" id={`${formId}-hint`}>
              Agents decide by this text. Such as: Finds events of the library by date.
            </small>
          </div>
          <div class="field">
            <label for={`${formId}-pages`}>Pages</label>
            <select
              id={`${formId}-pages`}
              value={pages}
              onChange={({currentTarget}) => change({...words, pages: currentTarget.value})}
            >
              {choices().map(([pattern, title]) => (
                <option key={pattern} value={pattern}>
                  {title} ({pattern})
                </option>
              ))}
            </select>
          </div>
        </>
      )}
      {!wanted && taken.includes(name) && (
        <p class="problem">A tool has this name already: on one page, agents see one of them only.</p>
      )}
      <div class="buttons">
        {link === undefined ? (
          <>
            <button type="button" class="primary" disabled aria-describedby={`${formId}-problem`}>
              {action}
            </button>
            <small id={`${formId}-problem`}>{missing}</small>
          </>
        ) : (
          <StudioLink
            class="button"
            href={link}
            onClick={() => {
              setHanded(true)
              // The browser first follows the link as it is now.
              if (!wanted) setTimeout(() => handed(made, link))
            }}
          >
            {action}
          </StudioLink>
        )}
      </div>
      <p role="status">{isHanded && 'Go on in Studio, in the tab with the tool.'}</p>
    </fieldset>
  )
}

/** What tells drafts of the same name apart. */
export function randomSuffix(): string {
  return Math.random().toString(36).slice(2, 10)
}

/** The draft of a tool. People find the file of a tool in the repository by its name, so its ID begins with that. */
export function draftOf(
  {type, fields, name, description, pages = patternHere()}: Whole,
  suffix: string,
  site: string,
): MadeTool {
  return {
    id: `${name.replaceAll('.', '-')}-${suffix}`,
    site,
    type,
    fields: {name, description: description.trim(), [pagesFieldOf(type)]: pages, ...fields},
  }
}

/** Says how to make tools, on a page that Studio has not opened. Of one that it has, the drafts are still to come, and boxes to tick with them. */
export function NoStudio({panel}: Pick<MakeProps, 'panel'>) {
  if (panel.sites.some((site) => site.isPreviewed && !site.drafts && !site.waiting))
    return <p class="note">Studio’s drafts are still loading: then you can tick here what agents may use.</p>
  return (
    <p class="note">
      To make tools, open this page from Studio: choose “Open a page with drafts” on the page of the site.
    </p>
  )
}

/** The pages that a tool may be on, each with its pattern. */
function choices(): (readonly [pattern: string, title: string])[] {
  const page = patternHere()
  // Of what is named by words, such as an article of a wiki, an address does not say whether there are more.
  const alike = page === pagePath() ? alikeOf(page) : page
  return [
    ...(alike === pagePath() ? [] : [[alike, 'Pages like this one'] as const]),
    [pagePath(), 'This page'],
    ['/**', 'Every page'],
  ]
}
