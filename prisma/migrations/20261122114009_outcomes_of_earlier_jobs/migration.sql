-- By hand: jobs of before get the sums and artifacts that agent_commit writes now. Alone in its
-- migration, so that it locks the rows it changes and no table.
UPDATE job j SET step_count = s.steps, input_tokens = s.input, output_tokens = s.output, cached_tokens = s.cached
  FROM (
    SELECT job_id, count(*) AS steps,
      coalesce(sum(CASE WHEN kind <> 'tool' THEN (output ->> 'inputTokens')::bigint END), 0) AS input,
      coalesce(sum(CASE WHEN kind <> 'tool' THEN (output ->> 'outputTokens')::bigint END), 0) AS output,
      coalesce(sum(CASE WHEN kind <> 'tool' THEN (output ->> 'cachedTokens')::bigint END), 0) AS cached
    FROM step GROUP BY job_id) s
  WHERE s.job_id = j.id;

INSERT INTO artifact (job_id, kind, ref, name, url, index)
  SELECT DISTINCT ON (m.job_id, m.kind, m.ref) m.job_id, m.kind, m.ref, m.name, m.url, m.index
  FROM (
    SELECT s.job_id, s.index,
      CASE s.name WHEN 'web_screenshot' THEN 'image' WHEN 'image_generate' THEN 'image' WHEN 'video_generate' THEN 'video'
        WHEN 'dataset_export' THEN 'file' WHEN 'site_publish' THEN 'site' ELSE 'dataset' END AS kind,
      CASE WHEN s.name IN ('dataset_create', 'dataset_append') THEN s.output ->> 'name'
        WHEN s.name = 'site_publish' THEN s.input ->> 'slug'
        ELSE regexp_replace(s.output ->> 'url', '^.*/', '') END AS ref,
      left(CASE s.name WHEN 'web_screenshot' THEN coalesce(nullif(s.output ->> 'title', ''), s.output ->> 'finalUrl')
        WHEN 'site_publish' THEN s.input ->> 'slug'
        WHEN 'dataset_export' THEN (s.input ->> 'name') || '.' || coalesce(s.input ->> 'format', 'csv')
        WHEN 'image_generate' THEN s.input ->> 'prompt' WHEN 'video_generate' THEN s.input ->> 'prompt'
        ELSE s.output ->> 'name' END, 80) AS name,
      CASE WHEN s.name NOT IN ('dataset_create', 'dataset_append') THEN s.output ->> 'url' END AS url
    FROM step s
    WHERE s.kind = 'tool' AND s.error IS NULL AND jsonb_typeof(s.output) = 'object'
      AND s.name IN ('web_screenshot', 'image_generate', 'video_generate', 'dataset_create', 'dataset_append',
        'dataset_export', 'site_publish')) m
  WHERE m.ref IS NOT NULL AND m.name IS NOT NULL
  ORDER BY m.job_id, m.kind, m.ref, m.index DESC
  ON CONFLICT DO NOTHING;
