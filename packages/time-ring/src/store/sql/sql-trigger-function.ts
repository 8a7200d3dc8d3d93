import { type RawBuilder, sql } from 'kysely';
import { DELAYED, UNOWNED } from '../../model/run.js';

/**
 * `horae_trigger(job_key, params, options)` for other languages and for table triggers: does what `jobs.trigger` does, inside the calling
 * transaction, independent of the caller's search path. The run starts at the commit where nodes can be woken over the channel, else at
 * the next second.
 */
export function triggerFunction(wakeChannel: string | null): RawBuilder<unknown> {
  return sql.raw(`
create or replace function horae_trigger(job_key text, params jsonb default null, options jsonb default '{}')
returns bigint language plpgsql set search_path from current as $horae$
#variable_conflict use_column
declare
  known constant text[] := array['at', 'delayMs', 'uniqueKey', 'uniqueForMs', 'priority', 'labels'];
  wanted jsonb := coalesce($3, '{}');
  now_ms double precision := floor(extract(epoch from clock_timestamp()) * 1000);
  due double precision;
  free_from double precision;
  unique_text text := wanted->>'uniqueKey';
  hash text;
  label_text text;
  job record;
  option_name text;
  holder bigint;
  made bigint;
begin
  for option_name in select jsonb_object_keys(wanted) loop
    if option_name <> all (known) then
      raise exception 'horae_trigger: unknown option "%": the options are %', option_name, array_to_string(known, ', ');
    end if;
  end loop;
  select * into job from horae_ring_jobs where job_key = case when left($1, 1) = '"' then to_json($1)::text else $1 end;
  if not found then raise exception 'horae_trigger: there is no job with the key "%"', $1; end if;
  if wanted ? 'at' and wanted ? 'delayMs' then raise exception 'horae_trigger: at and delayMs: give one of them'; end if;
  if (wanted->>'delayMs')::double precision < 0 then raise exception 'horae_trigger: delayMs must not be negative'; end if;
  if length(unique_text) not between 1 and 255 then raise exception 'horae_trigger: uniqueKey must have 1 to 255 characters'; end if;
  if wanted ? 'uniqueForMs' and (unique_text is null or (wanted->>'uniqueForMs')::double precision < 0) then
    raise exception 'horae_trigger: uniqueForMs must not be negative and needs a uniqueKey';
  end if;
  due := case
    when wanted ? 'delayMs' then now_ms + ceil((wanted->>'delayMs')::double precision)
    when jsonb_typeof(wanted->'at') = 'number' then ceil((wanted->>'at')::double precision)
    when wanted->>'at' ~ '(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' and wanted->>'at' ~ 'T' then
      floor(extract(epoch from (wanted->>'at')::timestamptz) * 1000)
    when wanted ? 'at' then floor(extract(epoch from (wanted->>'at')::timestamp at time zone 'UTC') * 1000)
  end;
  if due <= now_ms then due := null; end if;
  hash := encode(sha256(convert_to(unique_text, 'UTF8')), 'hex');
  select '{' || string_agg(to_json(key)::text || ':' || to_json(value)::text, ',') || '}' into label_text
    from jsonb_each_text(coalesce(job.labels, '{}')::jsonb || coalesce(wanted->'labels', '{}'));
  for attempt_number in 1..20 loop
    insert into horae_ring_runs (job_id, attempt, shard_index, shard_total, fence, bucket, trigger_type, state, owner,
      params, due_at, deadline_at, urgency, ready_at, unique_key, unique_lock, unique_for_ms, labels, last_attempt)
    values (job.id, 1, 0, 1, 1, job.bucket, 'manual', 'pending', case when due is null then '${UNOWNED}' else '${DELAYED}' end,
      coalesce($2::text, job.params), due, due, -coalesce((wanted->>'priority')::double precision, job.priority),
      coalesce(due, now_ms), case when left(unique_text, 1) = '"' then to_json(unique_text)::text else unique_text end,
      hash, (wanted->>'uniqueForMs')::double precision, label_text, case when job.retries < 1 then 1 else 0 end)
    on conflict do nothing returning id into made;
    if made is not null then
      if due is null then ${noticeOn(wakeChannel)} end if;
      return made;
    end if;
    select id, unique_until into holder, free_from from horae_ring_runs
      where job_id = job.id and unique_lock = hash for update;
    if found and free_from <= now_ms then
      update horae_ring_runs set unique_lock = null, unique_until = null where id = holder;
    elsif found then
      select id into made from horae_ring_runs
        where (id = holder or fire_id = holder) and shard_index = 0 order by attempt desc limit 1;
      return made;
    end if;
  end loop;
  raise exception 'horae_trigger: the unique key "%" changed hands too often', unique_text;
end
$horae$`);
}

/** Names no owner, which wakes all nodes. The server sends identical notices of one transaction once. */
function noticeOn(channel: string | null): string {
  if (channel === null) return 'null;';
  // In two parts: the name of a channel is not a table name and must not receive a prefix.
  return `perform pg_notify('${channel.slice(0, 1)}' || '${channel.slice(1)}', '${UNOWNED}');`;
}
