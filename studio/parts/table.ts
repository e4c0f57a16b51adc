import {styled} from 'styled-components'

/** A table, whose cells are one below the other where there is no room for columns. */
export const Table = styled.table`
  border-collapse: collapse;
  width: 100%;

  & th,
  & td {
    font-weight: normal;
    overflow-wrap: anywhere;
    text-align: start;
  }

  @media (max-width: 750px) {
    & thead {
      clip-path: inset(50%);
      height: 1px;
      overflow: hidden;
      position: absolute;
      width: 1px;
    }

    & tr,
    & th,
    & td {
      display: block;
    }

    & td:empty {
      display: none;
    }
  }
`
