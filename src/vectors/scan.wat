;; What a search over vectors spends its time in. `npm run kernel` writes it as `scan-kernel.ts`, which is what runs.
;; Vectors lie one after another, `$bytes` each, a multiple of 64: 16 numbers of 4 bytes, the last ones zero where a dimension is no multiple.
(module
  (import "arena" "memory" (memory 256 256))

  ;; The dot products of `$query` with `$count` vectors from `$vectors` on, in single precision, to `$out`. Four sums of four lanes,
  ;; so that no addition waits for the one before it.
  (func (export "similarities") (param $query i32) (param $vectors i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $at i32) (local $end i32)
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (block $done
      (loop $vector
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $numbers
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $vectors)))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $vectors)))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $vectors)))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $vectors)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $vectors (i32.add (local.get $vectors) (i32.const 64)))
          (br_if $numbers (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $vector))))

  ;; The dot product of `$query` with one vector, in double precision, with the sums of the same four as `dotAt` in `exact-index.ts`.
  (func (export "product") (param $query i32) (param $vector i32) (param $bytes i32) (result f64)
    (local $ab v128) (local $cd v128) (local $end i32)
    (local.set $ab (v128.const f64x2 0 0))
    (local.set $cd (v128.const f64x2 0 0))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (loop $numbers
      (local.set $ab (f64x2.add (local.get $ab)
        (f64x2.mul
          (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $query)))
          (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $vector))))))
      (local.set $cd (f64x2.add (local.get $cd)
        (f64x2.mul
          (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $query)))
          (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $vector))))))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
      (br_if $numbers (i32.lt_u (local.get $query) (local.get $end))))
    (f64.add
      (f64.add
        (f64.add (f64x2.extract_lane 0 (local.get $ab)) (f64x2.extract_lane 1 (local.get $ab)))
        (f64x2.extract_lane 0 (local.get $cd)))
      (f64x2.extract_lane 1 (local.get $cd)))))
