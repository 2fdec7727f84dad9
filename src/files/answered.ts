/** What services answer beside the fields, and what the calendar file keeps beside them: nothing that can be written. */
const known = new Set([
  'global_id',
  'global_id_lineage',
  'modified',
  'modified_utc',
  'url',
  'urls',
  'rest_url',
  'timezone_abbr',
  'custom_fields',
  'json_ld',
  'count',
  'taxonomy',
  'term_group',
  'term_taxonomy_id',
  'filter',
  'geo_lat',
  'geo_lng',
  'trashed_from',
  'post_parent',
  'post_password',
])

/** Whether a key of a record is known, and cannot be written. */
export const isAnswered = (key: string): boolean => known.has(key) || /^utc_|_details$/.test(key)
