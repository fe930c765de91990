;; Inner loops of a search by words. `npm run kernel` compiles this file into `score-kernel.ts`, which is what runs. Counts and sums are in
;; double precision, one a document. Documents lie in blocks of sixteen; `$marks` has a byte for each block, and `$end` is a multiple of
;; eight blocks behind it.
(module
  (import "kernel" "memory" (memory 1 65536))

  ;; Adds the scores of a word to the `$sums` of the documents in all blocks with the mark 1: `$share` for each, saturated by `$k`. A word
  ;; counts as often as in the document itself, and in part as in the two before and the two after it. Two documents at a time, each by the
  ;; operations of `drainLinked` in their order, so that both give the same numbers to the last bit.
  (func (export "drain")
    (param $counts i32) (param $sums i32) (param $marks i32) (param $end i32) (param $share f64) (param $k f64)
    (param $secondBefore f64) (param $before f64) (param $after f64) (param $secondAfter f64)
    (local $stop i32) (local $times v128)
    (local $shares v128) (local $ks v128) (local $most v128)
    (local $secondBefores v128) (local $befores v128) (local $afters v128) (local $secondAfters v128)
    (local.set $shares (f64x2.splat (local.get $share)))
    (local.set $ks (f64x2.splat (local.get $k)))
    (local.set $most (f64x2.splat (f64.add (local.get $k) (f64.const 1))))
    (local.set $secondBefores (f64x2.splat (local.get $secondBefore)))
    (local.set $befores (f64x2.splat (local.get $before)))
    (local.set $afters (f64x2.splat (local.get $after)))
    (local.set $secondAfters (f64x2.splat (local.get $secondAfter)))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $marks) (local.get $end)))
        (if (i32.ne (i32.load8_u (local.get $marks)) (i32.const 1))
          (then
            (local.set $counts (i32.add (local.get $counts) (i32.const 128)))
            (local.set $sums (i32.add (local.get $sums) (i32.const 128))))
          (else
            (local.set $stop (i32.add (local.get $counts) (i32.const 128)))
            (loop $two
              (local.set $times
                (f64x2.add
                  (v128.load (local.get $counts))
                  (f64x2.mul (v128.load (i32.sub (local.get $counts) (i32.const 8))) (local.get $befores))))
              (local.set $times
                (f64x2.add
                  (local.get $times)
                  (f64x2.mul (v128.load (i32.sub (local.get $counts) (i32.const 16))) (local.get $secondBefores))))
              (local.set $times
                (f64x2.add (local.get $times) (f64x2.mul (v128.load offset=8 (local.get $counts)) (local.get $afters))))
              (local.set $times
                (f64x2.add (local.get $times) (f64x2.mul (v128.load offset=16 (local.get $counts)) (local.get $secondAfters))))
              (v128.store (local.get $sums)
                (f64x2.add
                  (v128.load (local.get $sums))
                  (f64x2.div
                    (f64x2.mul (f64x2.mul (local.get $shares) (local.get $times)) (local.get $most))
                    (f64x2.add (local.get $times) (local.get $ks)))))
              (local.set $counts (i32.add (local.get $counts) (i32.const 16)))
              (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
              (br_if $two (i32.lt_u (local.get $counts) (local.get $stop))))))
        (local.set $marks (i32.add (local.get $marks) (i32.const 1)))
        (br $block))))

  ;; Zeroes the marks, and the counts of the marked blocks.
  (func (export "forget") (param $counts i32) (param $marks i32) (param $end i32)
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $marks) (local.get $end)))
        (if (i64.ne (i64.load (local.get $marks)) (i64.const 0))
          (then
            (i64.store (local.get $marks) (i64.const 0))
            (memory.fill (local.get $counts) (i32.const 0) (i32.const 1024))))
        (local.set $marks (i32.add (local.get $marks) (i32.const 8)))
        (local.set $counts (i32.add (local.get $counts) (i32.const 1024)))
        (br $blocks)))))
