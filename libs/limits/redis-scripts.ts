/** Redis's time, ahead by the seconds of the last argument: those by which a test environment's clock was moved. */
const shiftedTime = `
  local time = redis.call('TIME')
  time[1] = tonumber(time[1]) + tonumber(ARGV[#ARGV])
`;

/**
 * The sliding log: stamps of accepted requests, the newest first. Stamps are microseconds by Redis's clock, as text,
 * because Lua would round them. One that is a whole window ahead is older than a change of the clock, and no longer
 * counts.
 *
 * `take` returns the number of microseconds until a place is free, 0 if it took one.
 */
const slidingLog = `
  ${shiftedTime}
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

  local function forget(key, window)
    local oldest = redis.call('LINDEX', key, -1)
    while oldest and math.abs(now - tonumber(oldest)) >= window do
      redis.call('RPOP', key)
      oldest = redis.call('LINDEX', key, -1)
    end
  end

  local function take(key, limit, window)
    forget(key, window)
    local last = redis.call('LINDEX', key, limit - 1)
    if last then return tonumber(last) + window - now end
    redis.call('LPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, window / 1000 + 1000)
    return 0
  end
`;

/** The hash of this minute of Redis's clock counts `hits`; `seconds` since 1970. */
const thisMinute = `
      local seconds = tonumber(time[1])
      local minute = math.floor(seconds / 60)
      if tonumber(redis.call('HGET', KEYS[1], 'minute') or -1) ~= minute then
        redis.call('HSET', KEYS[1], 'minute', minute, 'hits', 0)
        redis.call('EXPIRE', KEYS[1], 120)
      end
`;
/** `hits`: how often the key was counted in this minute, this time among them. */
const countOne = `
      local hits = redis.call('HINCRBY', KEYS[1], 'hits', 1)
`;

/** Every decision in one step; ioredis sends scripts by their digest. */
export const scripts = {
  /**
   * KEYS: minute, second. ARGV: limit, burst, shift. Returns the minute's hits, whether the burst was exceeded, and Unix
   * seconds.
   */
  takeRate: {
    numberOfKeys: 2,
    lua: `${slidingLog}
      local limit, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
      ${thisMinute}${countOne}
      local refused = hits <= limit and take(KEYS[2], burst, 1000000) > 0
      return { hits, refused and 1 or 0, seconds }
    `,
  },
  /** KEYS: minute. ARGV: shift. Returns the minute's hits and Unix seconds. */
  takeMinute: {
    numberOfKeys: 1,
    lua: `
      ${shiftedTime}
      ${thisMinute}${countOne}
      return { hits, seconds }
    `,
  },
  /** KEYS: minute. ARGV: limit, count, shift. Returns what the minute's hits would be, counted if within the limit, and Unix seconds. */
  takeBudget: {
    numberOfKeys: 1,
    lua: `
      ${shiftedTime}
      ${thisMinute}
      local hits = tonumber(redis.call('HGET', KEYS[1], 'hits')) + tonumber(ARGV[2])
      if hits <= tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'hits', hits) end
      return { hits, seconds }
    `,
  },
  /** KEYS: log. ARGV: limit, window in microseconds, shift. Returns the wait in microseconds, 0 if a place was taken. */
  takeWindow: {
    numberOfKeys: 1,
    lua: `${slidingLog}
      return take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
    `,
  },
  /** KEYS: log. ARGV: window in microseconds, shift. Returns how many places are taken. */
  takenOfWindow: {
    numberOfKeys: 1,
    lua: `${slidingLog}
      forget(KEYS[1], tonumber(ARGV[1]))
      return redis.call('LLEN', KEYS[1])
    `,
  },
};
