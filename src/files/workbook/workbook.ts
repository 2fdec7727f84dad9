import type { Row } from '../csv/sheet-rows.ts'
import type { MergedArea } from './workbook-rows.ts'

export interface WorkbookSheet {
  readonly name: string
  readonly isHidden: boolean
}

/** A workbook whose sheets are read when they are asked for. */
export interface OpenWorkbook {
  readonly sheets: readonly WorkbookSheet[]
  rows(sheet: WorkbookSheet): AsyncGenerator<Row>
  /** The merged areas of a sheet that have several rows. */
  mergedAreas(sheet: WorkbookSheet): Promise<readonly MergedArea[]>
}
